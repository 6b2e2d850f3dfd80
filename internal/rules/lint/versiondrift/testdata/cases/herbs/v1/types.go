// Package v1 is kept by hand.
//
// +groupName=herbs.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Mint is a kind.
//
// +kubebuilder:object:root=true
type Mint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maximum=10
	Leafs *int32 `json:"leafs,omitempty"`
}
