// Package mistakes has what no defaults can be generated for.
//
// +groupName=mistakes.example.com
package mistakes

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// Spec has one of each.
type Spec struct {
	Text  string   `json:"text,omitempty"`
	Loop  Loop     `json:"loop,omitempty"`
	Box   Box[int] `json:"box"`
	Other Other    `json:"other"`
}

// Other has functions by hand that cannot be called.
type Other struct {
	// +default="x"
	Value string `json:"value,omitempty"`
}

// Level has a default.
// +default="info"
type Level string

// Loop refers to itself without a struct in between.
type Loop map[string]LoopItem

// LoopItem is either.
type LoopItem []Loop

// SetDefaults_Loop makes Loop something to look into.
func SetDefaults_Loop(in *Loop) {}

// Box is generic.
type Box[T any] struct {
	// +default=3
	Size *int32 `json:"size,omitempty"`
	Item T      `json:"item"`
}

// SetDefaults_Spec takes a value.
func SetDefaults_Spec(in Spec) {}

// SetDefaults_Other returns something.
func SetDefaults_Other(in *Other) error { return json.Unmarshal(nil, in) }

// SetObjectDefaults_Thing takes another type.
func SetObjectDefaults_Thing(in *Spec) {}
