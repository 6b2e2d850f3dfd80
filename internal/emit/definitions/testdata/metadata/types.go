// Package metadata has rules on the metadata of a kind.
//
// +groupName=metadata.example.com
// +versionName=v1
package metadata

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing has a short name.
//
// +kubebuilder:object:root=true
type Thing struct {
	metav1.TypeMeta `json:",inline"`
	// +k8s:subfield(name)=+k8s:optional
	// +k8s:subfield(name)=+k8s:format=k8s-short-name
	// +k8s:subfield(name)=+k8s:maxLength=8
	// +k8s:subfield(labels)=+k8s:maxProperties=4
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
