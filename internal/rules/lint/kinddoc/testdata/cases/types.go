// Package cases has kinds with and without doc comments.
//
// +groupName=cases.example.com
// +versionName=v1
package cases

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Described is a kind with a description.
// +kubebuilder:object:root=true
type Described struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kubebuilder:object:root=true
type Bare struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +kubebuilder:object:root=true
type BareList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Bare `json:"items"`
}

type part struct {
	Name string `json:"name"`
}
