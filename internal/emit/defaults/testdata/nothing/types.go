// Package nothing has kinds without defaults, other than what Go has anyway.
//
// +groupName=nothing.example.com
package nothing

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec Spec `json:"spec"`
}

// Spec has defaults that are zero values.
type Spec struct {
	// +default=0
	Number int `json:"number"`
	// +default={}
	Inner Inner `json:"inner"`
}

// Inner has nothing.
type Inner struct{}

// Unused has a default, and belongs to no kind.
type Unused struct {
	// +default=3
	Number *int `json:"number,omitempty"`
}
