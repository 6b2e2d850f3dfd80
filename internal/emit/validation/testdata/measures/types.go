// Package measures has bounds on types that are declared from durations and
// quantities, and write their own JSON.
//
// +k8s:validation-gen=TypesWithSuffix=Spec
// +k8s:validation-gen-scheme-registry=nil
package measures

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type PoolSpec struct {
	// +k8s:optional
	// +k8s:maximum="1h"
	Own *Own `json:"own,omitempty"`
	// +k8s:optional
	// +k8s:listType=atomic
	// +k8s:eachVal=+k8s:minimum="1Gi"
	Sizes []OwnSize `json:"sizes,omitempty"`
}

// +k8s:minimum="1s"
type Own metav1.Duration

func (o *Own) UnmarshalJSON(data []byte) error { return (*metav1.Duration)(o).UnmarshalJSON(data) }
func (o Own) MarshalJSON() ([]byte, error)     { return metav1.Duration(o).MarshalJSON() }

// +k8s:exclusiveMaximum="1Ti"
type OwnSize resource.Quantity

func (o *OwnSize) UnmarshalJSON(data []byte) error {
	return (*resource.Quantity)(o).UnmarshalJSON(data)
}
func (o OwnSize) MarshalJSON() ([]byte, error) { return resource.Quantity(o).MarshalJSON() }
