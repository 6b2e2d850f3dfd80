// Package v1 registers nothing by hand.
//
// +groupName=plain.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Kind and Resource are types here, so no functions are called so.
type Kind struct{}

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// ThingList is its list.
type ThingList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Thing `json:"items"`
}

// Config is an object without metadata.
// +kubebuilder:object:root=true
type Config struct {
	metav1.TypeMeta `json:",inline"`
}

// Template only looks like a kind.
// +kubebuilder:object:root=false
type Template struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

func init() { localSchemeBuilder.Register(addMore) }

// Extra shows that functions of other files take part.
var Extra int

func addMore(*runtime.Scheme) error { Extra++; return nil }

// DeepCopyObject makes Thing an object, as the deepcopy emitter would.
func (in *Thing) DeepCopyObject() runtime.Object { out := *in; return &out }

// DeepCopyObject makes ThingList an object.
func (in *ThingList) DeepCopyObject() runtime.Object { out := *in; return &out }

// DeepCopyObject makes Config an object.
func (in *Config) DeepCopyObject() runtime.Object { out := *in; return &out }
