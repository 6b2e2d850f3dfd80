// Package v1 has kinds for which upstream's tool generates incorrect validators; the
// list of known differences explains each. It also has a kind with rules that no kind
// of Kubernetes has so far.
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

// Stopping has rules after which others at their place are not looked at,
// wherever such rules can stand.
type Stopping struct {
	metav1.TypeMeta `json:",inline"`

	// mode says what holds for modal.
	//
	// +k8s:optional
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// modal has rules by mode, and one of its own.
	//
	// +k8s:ifMode("A")=+k8s:required
	// +k8s:ifMode("A")=+k8s:maxItems=2
	// +k8s:ifMode("B")=+k8s:immutable
	// +k8s:optional
	// +k8s:maxItems=3
	Modal []string `json:"modal,omitempty"`

	// gated has rules for API servers with an option.
	//
	// +k8s:optional
	// +k8s:ifEnabled(Stops)=+k8s:maxItems=2
	// +k8s:ifDisabled(Stops)=+k8s:minItems=1
	// +k8s:ifDisabled(Stops)=+k8s:eachVal=+k8s:immutable
	Gated []string `json:"gated,omitempty"`

	// levels has rules on trial.
	//
	// +k8s:alpha=+k8s:required
	// +k8s:beta=+k8s:ifEnabled(Stops)=+k8s:immutable
	Levels string `json:"levels"`

	// part has rules of its own, and others are said of it here.
	//
	// +k8s:optional
	// +k8s:subfield(name)=+k8s:required
	// +k8s:subfield(tags)=+k8s:ifEnabled(Stops)=+k8s:maxProperties=2
	Part *StoppingPart `json:"part,omitempty"`

	// parts are parts, of which one must stay as it is.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=4
	// +k8s:item(name: "a")=+k8s:immutable
	// +k8s:update=NoAddItem
	Parts []StoppingPart `json:"parts,omitempty"`

	// numbers must not go away.
	//
	// +k8s:optional
	// +k8s:update=NoUnset
	Numbers []*int32 `json:"numbers,omitempty"`
}

// StoppingPart is a part.
type StoppingPart struct {
	// name is unique.
	//
	// +k8s:optional
	// +k8s:maxLength=4
	Name string `json:"name,omitempty"`

	// tags are at most three.
	//
	// +k8s:optional
	// +k8s:maxProperties=3
	// +k8s:eachVal=+k8s:maxLength=3
	Tags map[string]string `json:"tags,omitempty"`

	// old is no more.
	//
	// +k8s:forbidden
	Old *string `json:"old,omitempty"`
}

// Pointing has lists of pointers, whose items must not be nil.
type Pointing struct {
	metav1.TypeMeta `json:",inline"`

	// numbers has no rule for its items.
	//
	// +k8s:optional
	Numbers []*int32 `json:"numbers,omitempty"`

	// short is short, and so are its items.
	//
	// +k8s:required
	// +k8s:maxItems=2
	// +k8s:eachVal=+k8s:maxLength=3
	Short []*string `json:"short"`

	// keyed has items with keys.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:item(name: "a")=+k8s:immutable
	// +k8s:update=NoRemoveItem
	Keyed []*StoppingPart `json:"keyed,omitempty"`

	// part has a list of pointers, of whose items more is said here.
	//
	// +k8s:optional
	// +k8s:subfield(numbers)=+k8s:maxItems=3
	// +k8s:subfield(numbers)=+k8s:eachVal=+k8s:maximum=3
	Part *PointingPart `json:"part,omitempty"`

	// mode says what holds for modal.
	//
	// +k8s:optional
	// +k8s:modeDiscriminator
	Mode string `json:"mode,omitempty"`

	// modal has rules by mode.
	//
	// +k8s:ifMode("A")=+k8s:maxItems=2
	// +k8s:ifMode("B")=+k8s:minItems=1
	// +k8s:optional
	Modal []*int32 `json:"modal,omitempty"`
}

// PointingPart is a part.
type PointingPart struct {
	// numbers are at least one.
	//
	// +k8s:optional
	// +k8s:eachVal=+k8s:minimum=1
	Numbers []*int32 `json:"numbers,omitempty"`
}

// StoppingValues has values with rules that stop others.
type StoppingValues struct {
	metav1.TypeMeta `json:",inline"`

	// keyed are items that stay as they are.
	//
	// +k8s:optional
	// +k8s:maxItems=3
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:immutable
	Keyed []StoppingPart `json:"keyed,omitempty"`

	// pointers are items that stay as they are, and have a rule more.
	//
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:eachVal=+k8s:update=NoModify
	// +k8s:eachVal=+k8s:subfield(tags)=+k8s:minProperties=1
	Pointers []*NamedTags `json:"pointers,omitempty"`

	// parts are items with names.
	//
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:required
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:maxLength=2
	// +k8s:eachVal=+k8s:subfield(tags)=+k8s:maxProperties=1
	Parts []NamedTags `json:"parts,omitempty"`

	// set is a set whose items may not be replaced.
	//
	// +k8s:optional
	// +k8s:listType=set
	// +k8s:eachVal=+k8s:immutable
	// +k8s:eachVal=+k8s:maxLength=3
	Set []string `json:"set,omitempty"`

	// table has values that stay as they are.
	//
	// +k8s:optional
	// +k8s:maxProperties=2
	// +k8s:eachKey=+k8s:maxLength=2
	// +k8s:eachVal=+k8s:maxLength=3
	// +k8s:eachVal=+k8s:immutable
	Table map[string]string `json:"table,omitempty"`

	// gated has values that stay as they are, for API servers with an option.
	//
	// +k8s:optional
	// +k8s:ifEnabled(Stops)=+k8s:eachVal=+k8s:immutable
	// +k8s:beta(since: "1.36")=+k8s:eachVal=+k8s:maxLength=3
	Gated map[string]string `json:"gated,omitempty"`
}

// NamedTags are tags with a name.
type NamedTags struct {
	// name is unique.
	Name string `json:"name"`

	// tags are short.
	//
	// +k8s:eachVal=+k8s:maxLength=3
	Tags map[string]string `json:"tags,omitempty"`
}

// Arriving has a struct that may come later.
type Arriving struct {
	metav1.TypeMeta `json:",inline"`

	// part may come later.
	//
	// +k8s:optional
	Part *ArrivingPart `json:"part,omitempty"`
}

// ArrivingPart has a name that does not change.
type ArrivingPart struct {
	// name does not change.
	//
	// +k8s:optional
	// +k8s:immutable
	Name string `json:"name,omitempty"`
}

// Silenced has items whose names may be left out.
type Silenced struct {
	metav1.TypeMeta `json:",inline"`

	// items have names.
	//
	// +k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:optional
	// +k8s:eachVal=+k8s:subfield(name)=+k8s:maxLength=2
	Items []SilencedItem `json:"items,omitempty"`
}

// SilencedItem has a name.
type SilencedItem struct {
	Name string `json:"name,omitempty"`
}
