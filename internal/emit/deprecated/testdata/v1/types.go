// Package v1 has deprecated fields in a struct, in lists and in maps.
//
// +groupName=shop.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +kubebuilder:subresource:status
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec   OrderSpec   `json:"spec"`
	Status OrderStatus `json:"status,omitzero"`
}

type OrderSpec struct {
	// size has a default, which clients do not write.
	//
	// Deprecated: use pieces,
	// which count.
	// +default=3
	// +k8s:optional
	Size *int32 `json:"size,omitempty"`

	// items are in a list, and parts in a map in these.
	// +k8s:optional
	Items []Item `json:"items,omitempty"`
}

type Item struct {
	// +k8s:optional
	Parts map[string]Part `json:"parts,omitempty"`
}

type Part struct {
	// Deprecated: use name.
	// +k8s:optional
	OldName string `json:"old-name,omitempty"`

	// +k8s:optional
	Name string `json:"name,omitempty"`
}

type OrderStatus struct {
	// Deprecated: controllers write it.
	// +k8s:optional
	Old string `json:"old,omitempty"`
}
