// Package v1 is one of two versions that are written by hand.
//
// +groupName=multi.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing is in two versions.
//
// +kubebuilder:storageversion
// +kubebuilder:resource:shortName=th
// +kubebuilder:printcolumn:name="Size",type=integer,JSONPath=`.size`
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Size *int32 `json:"size,omitempty"`
}

// Newcomer is in this version only.
type Newcomer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
