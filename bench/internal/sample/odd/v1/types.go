// Package v1 has kinds of which upstream's tool makes validators that are wrong.
// What is wrong is in the list of known differences, each with its reason.
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Embedding has an embedded struct behind a pointer.
type Embedding struct {
	metav1.TypeMeta `json:",inline"`

	*Embedded `json:",inline"`
}

// Embedded is a struct to embed.
type Embedded struct {
	// name is required, where there is an Embedded.
	//
	// +k8s:required
	Name string `json:"name"`
}

// Tasks has a union of items of a list, whose names are not declared in
// alphabetical order.
type Tasks struct {
	metav1.TypeMeta `json:",inline"`

	// tasks ends with one of them.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "succeeded")=+k8s:zeroOrOneOfMember
	// +k8s:item(name: "failed")=+k8s:zeroOrOneOfMember
	// +k8s:item(name: "aborted")=+k8s:zeroOrOneOfMember
	Tasks []Task `json:"tasks,omitempty"`
}

// Task is one of the tasks.
type Task struct {
	// name is unique.
	//
	// +k8s:required
	Name string `json:"name"`
}

// Gated has a union with a member that is for API servers with an option.
type Gated struct {
	metav1.TypeMeta `json:",inline"`

	// source is one of its members.
	//
	// +k8s:optional
	Source *GatedSource `json:"source,omitempty"`
}

// GatedSource is a union.
type GatedSource struct {
	// file is a file.
	//
	// +k8s:optional
	// +k8s:unionMember
	File *string `json:"file,omitempty"`

	// stream is a stream.
	//
	// +k8s:optional
	// +k8s:ifEnabled(Streams)=+k8s:unionMember
	Stream *string `json:"stream,omitempty"`
}

// Chained has a type that is declared from one with rules of its own.
type Chained struct {
	metav1.TypeMeta `json:",inline"`

	// name is at most eight characters long, as a ShortName is.
	//
	// +k8s:optional
	Name NickName `json:"name,omitempty"`
}

// NickName is a name among friends.
//
// +k8s:minLength=2
type NickName ShortName

// ShortName is a name that fits on a badge.
//
// +k8s:maxLength=8
type ShortName string
