// Package v1beta1 has some of its registration by hand, as packages that
// deepcopy-gen and register-gen were used on have it.
//
// +groupName=partly.example.com
package v1beta1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// SchemeGroupVersion is by hand.
var SchemeGroupVersion = schema.GroupVersion{Group: "partly.example.com", Version: "v1beta1"}

// Resource is by hand.
func Resource(resource string) schema.GroupResource {
	return SchemeGroupVersion.WithResource("by-hand-" + resource).GroupResource()
}

// Thing is a kind.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// DeepCopyObject makes Thing an object.
func (in *Thing) DeepCopyObject() runtime.Object { out := *in; return &out }
