// Package v1 has kinds with and without a status for tracked values.
//
// +groupName=tracking.example.com
// +versioned:version(name: "v1beta1")
// +versioned:version(name: "v1")
// +versioned:tracking(store: "status")
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// Ready has a status for tracked values.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Ready struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec        `json:"spec,omitempty"`
	Status            ReadyStatus `json:"status,omitempty"`
}

// ReadyStatus is a status.
type ReadyStatus struct {
	ChangedValues *convert.ChangedValues `json:"changedValues,omitempty"`
}

// Inner has no subresource.
//
// +kubebuilder:object:root=true
type Inner struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec        `json:"spec,omitempty"`
	Status            ReadyStatus `json:"status,omitempty"`
}

// Bare has a status without the field.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Bare struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec       `json:"spec,omitempty"`
	Status            BareStatus `json:"status,omitempty"`
}

// BareStatus is a status.
type BareStatus struct {
	Done bool `json:"done,omitempty"`
}

// Plain has no status.
//
// +kubebuilder:object:root=true
type Plain struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// Up has a value that the hub cannot represent.
//
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
type Up struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	// +versioned:changed(since: "v1", fromType: "string", upgradeWith: "Both", downgradeWith: "Back")
	Value  int32       `json:"value,omitempty"`
	Status ReadyStatus `json:"status,omitempty"`
}

// Both converts.
func Both(in string) (int32, error) { return int32(len(in)), nil }

// Back converts.
func Back(in int32) string { return "" }

// Same is the same in all versions.
//
// +kubebuilder:object:root=true
type Same struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Spec has a field that older versions lack.
type Spec struct {
	// +versioned:added(since: "v1")
	New string `json:"new,omitempty"`
}
