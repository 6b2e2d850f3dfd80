// Package v1 has a field that was renamed.
//
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1", storage: true)
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
	// +k8s:maximum=11
	// +versioned:changed(since: "v1", fromName: "leafs")
	Leaves *int32 `json:"leaves,omitempty"`
}
