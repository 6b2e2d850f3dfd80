// Package v1 has rules of all forms.
//
// +groupName=rules.example.com
package v1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Order has rules.
type Order struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`

	Spec OrderSpec `json:"spec"`
}

// OrderSpec has rules about fields, items, and several fields.
// +kubebuilder:validation:XValidation:rule="!has(self.low) || !has(self.__namespace__) || self.low <= self.size",message="low is above size"
type OrderSpec struct {
	// +k8s:required
	// +k8s:minimum=1
	// +k8s:maximum=9
	Size *int32 `json:"size,omitempty"`

	// +k8s:optional
	Low *int32 `json:"low,omitempty"`

	// +k8s:optional
	// +k8s:maxLength=5
	Namespace string `json:"namespace,omitempty"`

	// +k8s:optional
	// +k8s:immutable
	Owner string `json:"owner,omitempty"`

	// +k8s:optional
	Color Color `json:"color,omitempty"`

	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	// +k8s:maxItems=2
	Items []Item `json:"items,omitempty"`

	// +k8s:optional
	// +k8s:eachVal=+k8s:maxLength=3
	Labels map[string]string `json:"labels,omitempty"`

	// +k8s:optional
	Memory *resource.Quantity `json:"memory,omitempty"`
}

// Item is an item.
type Item struct {
	// +k8s:required
	// +k8s:format=k8s-short-name
	Name string `json:"name,omitempty"`

	// +k8s:optional
	// +k8s:minimum=2
	Count *int32 `json:"count,omitempty"`
}

// Color is a color.
// +k8s:enum
type Color string

// The colors.
const (
	Red   Color = "Red"
	Green Color = "Green"
)
