// Package v1 registers itself.
//
// +groupName=byhand.example.com
package v1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The registration, by hand.
var (
	GroupVersion  = schema.GroupVersion{Group: "byhand.example.com", Version: "v1"}
	SchemeBuilder = runtime.NewSchemeBuilder(func(s *runtime.Scheme) error {
		s.AddKnownTypes(GroupVersion, &Thing{})
		return nil
	})
	AddToScheme = SchemeBuilder.AddToScheme
)

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// DeepCopyObject makes Thing an object.
func (in *Thing) DeepCopyObject() runtime.Object { out := *in; return &out }
