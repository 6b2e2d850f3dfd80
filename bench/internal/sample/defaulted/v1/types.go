// Package v1 has a kind with defaults of all sorts, for benchmarks.
//
// +groupName=defaulted.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Pool is a kind.
//
// +kubebuilder:object:root=true
type Pool struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec PoolSpec `json:"spec"`
}

// PoolSpec has the defaults.
type PoolSpec struct {
	// +default=3
	// +optional
	Replicas *int32 `json:"replicas,omitempty"`
	// +default="RollingUpdate"
	// +optional
	Strategy string `json:"strategy,omitempty"`
	// +default={"path":"/healthz"}
	// +optional
	Probe *Probe `json:"probe,omitempty"`
	// +optional
	Ports []Port `json:"ports,omitempty"`
	// +optional
	ByZone map[string]*Probe `json:"byZone,omitempty"`
}

// Probe is a health check.
type Probe struct {
	// +default="/"
	// +optional
	Path string `json:"path,omitempty"`
	// +default=10
	// +optional
	PeriodSeconds *int32 `json:"periodSeconds,omitempty"`
	// +default=3
	// +optional
	FailureThreshold *int32 `json:"failureThreshold,omitempty"`
}

// Port is a port.
type Port struct {
	Port int32 `json:"port"`
	// +default="TCP"
	// +optional
	Protocol string `json:"protocol,omitempty"`
	// +optional
	Probe *Probe `json:"probe,omitempty"`
}

// DeepCopyObject makes Pool an object that a scheme accepts.
func (in *Pool) DeepCopyObject() runtime.Object { out := *in; return &out }
