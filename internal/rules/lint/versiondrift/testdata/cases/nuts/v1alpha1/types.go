// Package v1alpha1 inlines a struct that has another name in each version.
//
// +groupName=nuts.example.com
package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Walnut is a kind.
//
// +kubebuilder:object:root=true
type Walnut struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	OldShell `json:",inline"`
}

// OldShell is what is around it.
type OldShell struct {
	// +k8s:optional
	// +k8s:maximum=8
	Width *int32 `json:"width,omitempty"`
	// +k8s:optional
	Color string `json:"color,omitempty"`
}
