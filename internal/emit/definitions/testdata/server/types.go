// Package server has one of every mistake that only the API server finds.
//
// +groupName=server.example.com
// +versionName=v1
package server

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Refused is refused.
//
// +kubebuilder:subresource:scale:specpath=replicas,statuspath=.status.replicas
// +kubebuilder:printcolumn:name="Good",type=string,JSONPath=`.spec.color`
// +kubebuilder:printcolumn:name="Bad",type=text,JSONPath=`.spec.color`
// +kubebuilder:resource:path=Refused
type Refused struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Spec *RefusedSpec `json:"spec,omitempty"`
}

// RefusedSpec is refused too.
type RefusedSpec struct {
	Inlined `json:",inline"`

	// +kubebuilder:validation:Enum=red;green
	// +kubebuilder:default=blue
	Color string `json:"color,omitempty"`
	// +kubebuilder:default={unknown: 1}
	Object *Object `json:"object,omitempty"`
	// +default=[{"name":"a"},{"nam":"b"}]
	// +listType=atomic
	Objects []Object `json:"objects,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.size( > 3"
	Syntax string `json:"syntax,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self.nothing == 3"
	Unknown *Object `json:"unknown,omitempty"`
	// +listType=atomic
	Atomic []Object `json:"atomic,omitempty"`
	// +kubebuilder:validation:UniqueItems=true
	Unique []string `json:"unique,omitempty"`
	// +listType=map
	// +listMapKey=nothing
	Keyed []Object `json:"keyed,omitempty"`
	// +listType=set
	Set []Object `json:"set,omitempty"`
	// +kubebuilder:validation:Pattern="("
	Pattern string `json:"pattern,omitempty"`
}

// Inlined has mistakes of its own.
type Inlined struct {
	// +kubebuilder:validation:Enum=1;2
	// +kubebuilder:default=3
	Number int32 `json:"number,omitempty"`
}

// Object is an object.
type Object struct {
	// +optional
	// +kubebuilder:validation:XValidation:rule="self == oldSelf"
	Name string `json:"name,omitempty"`
}

// Costly has rules that cost too much.
type Costly struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	// +kubebuilder:validation:XValidation:rule="self.all(x, self.exists(y, y.text.contains(x.text)))"
	// +listType=atomic
	Items []Item `json:"items,omitempty"`
}

// Item is an item.
type Item struct {
	// +optional
	Text string `json:"text,omitempty"`
	// +optional
	Other string `json:"other,omitempty"`
}
