// Package measures has bounds on durations and quantities where their rules cost
// most, and on types that write their own JSON.
//
// +groupName=measures.example.com
// +versionName=v1
package measures

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// +optional
	Spec PoolSpec `json:"spec,omitempty"`
}

type PoolSpec struct {
	// +optional
	// +k8s:eachVal=+k8s:minimum="1s"
	Periods []metav1.Duration `json:"periods,omitempty"`
	// +optional
	// +k8s:maxItems=1000
	Groups []Group `json:"groups,omitempty"`
	// +optional
	// +k8s:maximum="1h"
	Own *Own `json:"own,omitempty"`
	// +optional
	// +k8s:minimum="1Gi"
	OwnSize *OwnSize `json:"ownSize,omitempty"`
}

type Group struct {
	// +optional
	// +k8s:maxProperties=100
	// +k8s:eachVal=+k8s:maximum="16Gi"
	Limits map[string]resource.Quantity `json:"limits,omitempty"`
}

// +kubebuilder:validation:Type=string
// +k8s:minimum="1s"
type Own metav1.Duration

func (o *Own) UnmarshalJSON(data []byte) error { return (*metav1.Duration)(o).UnmarshalJSON(data) }
func (o Own) MarshalJSON() ([]byte, error)     { return metav1.Duration(o).MarshalJSON() }

// +kubebuilder:validation:Type=string
type OwnSize resource.Quantity

func (o *OwnSize) UnmarshalJSON(data []byte) error {
	return (*resource.Quantity)(o).UnmarshalJSON(data)
}
func (o OwnSize) MarshalJSON() ([]byte, error) { return resource.Quantity(o).MarshalJSON() }
