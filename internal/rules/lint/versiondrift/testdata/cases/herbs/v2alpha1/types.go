// Package v2alpha1 has a field that was renamed.
//
// +versioned:version(name: "v1")
// +versioned:version(name: "v2alpha1")
//
// +groupName=herbs.example.com
package v2alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Mint is a kind.
//
// +kubebuilder:object:root=true
type Mint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +k8s:optional
	// +k8s:maximum=11
	// +versioned:changed(since: "v2alpha1", fromName: "leafs")
	Leaves *int32 `json:"leaves,omitempty"`
}
