// Package v1 has a type that is converted by hand, and nothing that is registered.
//
// +groupName=skipped.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
// +versioned:skip(register)
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Outer has both.
//
// +kubebuilder:object:root=true
type Outer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	ByHand  ByHand   `json:"byHand"`
	ByHands []ByHand `json:"byHands"`
	Derived Derived  `json:"derived"`
}

// Derived is declared as another type that changed.
type Derived Base

// Base changed.
type Base struct {
	// +versioned:changed(since: "v1", fromName: "old")
	New []string `json:"new"`
}

// ByHand is converted by hand.
//
// +versioned:skip(conversion)
type ByHand struct {
	A string `json:"a"`
}
