// Package missing has two rules, of which its tests break one.
//
// +groupName=missing.example.com
package missing

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Box is a kind.
//
// +kubebuilder:object:root=true
type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=3
	Label string `json:"label,omitempty"`
	// +k8s:optional
	// +k8s:eachVal=+k8s:minimum=1
	Sizes []int32 `json:"sizes,omitempty"`
}
