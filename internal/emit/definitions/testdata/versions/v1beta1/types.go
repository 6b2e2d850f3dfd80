// Package v1beta1 is one of two versions that are written by hand.
//
// +groupName=multi.example.com
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Thing is in two versions.
//
// +kubebuilder:deprecatedversion:warning="use v1"
// +kubebuilder:unservedversion
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Width *int32 `json:"width,omitempty"`
}
