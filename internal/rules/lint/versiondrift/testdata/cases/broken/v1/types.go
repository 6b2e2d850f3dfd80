// Package v1 has no rules.
//
// +groupName=broken.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Stone is a kind.
//
// +kubebuilder:object:root=true
type Stone struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
