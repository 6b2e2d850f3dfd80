// Package v1alpha1 is as v1beta1 is.
//
// +groupName=fruit.example.com
package v1alpha1

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
}
