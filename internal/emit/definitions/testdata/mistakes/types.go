// Package mistakes has one of every mistake that is found on the way from a
// type to its schema.
//
// +groupName=mistakes.example.com
// +versionName=v1
// +kubebuilder:storageversion
package mistakes

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Wrong is wrong.
//
// +kubebuilder:printcolum:name="Age",type=date,JSONPath=`.x`
// +kubebuilder:subresource:statsu
// +kubebuilder:printcolumn:name="Age",typ=date,JSONPath=`.x`
// +kubebuilder:metadata:annotations="nothing"
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get # another tool's
// +kubebuilder:object:root=true
type Wrong struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +kubebuilder:validation:MaxLenght=3
	Misspelt string `json:"misspelt,omitempty"`
	// +kubebuilder:validation:MaxLength=three
	NotANumber string `json:"notANumber,omitempty"`
	// +kubebuilder:validation:MaxLength=3 # a comment is no mistake
	Commented string `json:"commented,omitempty"`
	// +kubebuilder:validation:Pattern=`^a #b$` # nor is one behind a value with its sign
	Quoted string `json:"quoted,omitempty"`
	// +kubebuilder:validation:Maximum=3
	NotNumeric string `json:"notNumeric,omitempty"`
	// +kubebuilder:validation:items:MaxLength=3
	NoItems string `json:"noItems,omitempty"`
	// +kubebuilder:resource:path=x
	OnAField string `json:"onAField,omitempty"`
	// +somebody:else=3
	Foreign string `json:"foreign,omitempty"`

	Untagged string
	One      string `json:"twice,omitempty"`
	Two      string `json:"twice,omitempty"`

	Any       any                `json:"any,omitempty"`
	AnyMap    map[string]any     `json:"anyMap,omitempty"`
	Func      func()             `json:"func,omitempty"`
	Chan      chan int           `json:"chan,omitempty"`
	Complex   complex128         `json:"complex,omitempty"`
	Anonymous struct{ A string } `json:"anonymous,omitempty"`
	IntKeys   map[int]string     `json:"intKeys,omitempty"`
	Float     float64            `json:"float,omitempty"`
	Tree      *Tree              `json:"tree,omitempty"`
	Custom    Custom             `json:"custom,omitempty"`
	// +kubebuilder:validation:Type=string
	Told Custom `json:"told,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Schemaless any `json:"schemaless,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:immutable
	// +k8s:maxItems=3
	Frozen []Tiny `json:"frozen,omitempty"`
}

// Tree contains itself.
type Tree struct {
	Children []Tree           `json:"children,omitempty"`
	ByName   map[string]*Tree `json:"byName,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Named []Tree `json:"named,omitempty"`
	// +k8s:optional
	Name string `json:"name,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Left *Tree `json:"left,omitempty"`
}

// Tiny is small.
//
// +kubebuilder:validation:MaxLength=3
type Tiny string

// Custom writes itself.
type Custom struct {
	Field string `json:"field,omitempty"`
}

// MarshalJSON writes something.
func (c Custom) MarshalJSON() ([]byte, error) { return json.Marshal(c.Field) }

// Unreachable is in no kind.
type Unreachable struct {
	// +kubebuilder:validation:Minimun=3
	Field int32 `json:"field,omitempty"`
}
