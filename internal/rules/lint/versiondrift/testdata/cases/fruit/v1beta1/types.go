// Package v1beta1 has tags that v1 has otherwise.
//
// +groupName=fruit.example.com
package v1beta1

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
	// +k8s:maximum=10
	Size *int32 `json:"size,omitempty"`
	// +k8s:optional
	// +k8s:format=k8s-short-name
	// +k8s:maxLength=20
	Sort string `json:"sort,omitempty"`
	// +default="red"
	// +k8s:optional
	Color string `json:"color,omitempty"`
	// +default=ref(DefaultTaste)
	// +k8s:optional
	Taste Taste `json:"taste,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:minLength=1
	// +k8s:eachVal=+k8s:maxLength=8
	Names []string `json:"names,omitempty"`
	// +k8s:optional
	// +k8s:maxLength=9
	Weight string `json:"weight,omitempty"`
	// +k8s:optional
	Pips []Pip `json:"pips,omitempty"`
	// +k8s:required
	Gone string `json:"gone"`
	// +k8s:optional
	// +k8s:minimum=1
	Excused *int32 `json:"excused,omitempty"`
}

// Taste has another rule on the type.
//
// +k8s:maxLength=5
type Taste string

// DefaultTaste is the same in both versions.
const DefaultTaste Taste = "sour"

// Pip is found through a list.
type Pip struct {
	// +k8s:required
	Color string `json:"color"`
}

// Unused is of no kind, so its tags do not matter.
type Unused struct {
	// +k8s:maxLength=5
	Name string `json:"name"`
}
