// Package v1 has tags that v1beta1 has otherwise.
//
// +groupName=fruit.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Apple is a kind.
//
// +kubebuilder:object:root=true
type Apple struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec AppleSpec `json:"spec"`
}

// AppleSpec is what an apple is to be.
type AppleSpec struct {
	// +k8s:optional
	// +k8s:maximum=12
	Size *int32 `json:"size,omitempty"`
	// +k8s:maxLength=20
	// +k8s:optional
	Sort string `json:"sort,omitempty"`
	// +default="green"
	// +k8s:optional
	Color string `json:"color,omitempty"`
	// +default="sour"
	// +k8s:optional
	Taste Taste `json:"taste,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=8
	// +k8s:eachVal=+k8s:minLength=1
	Names []string `json:"names,omitempty"`
	// +k8s:optional
	// +k8s:minimum=9
	Weight *int32 `json:"weight,omitempty"`
	// +k8s:optional
	Pips []*Pip `json:"pips,omitempty"`
	// +k8s:required
	New string `json:"new"`
	// +k8s:optional
	// +k8s:minimum=2
	Excused *int32 `json:"excused,omitempty"`
}

// Taste has another rule on the type.
//
// +k8s:maxLength=6
type Taste string

// Pip is found through a list.
type Pip struct {
	// +k8s:optional
	Color string `json:"color,omitempty"`
}

// Unused is of no kind, so its tags do not matter.
type Unused struct {
	// +k8s:maxLength=6
	Name string `json:"name"`
}
