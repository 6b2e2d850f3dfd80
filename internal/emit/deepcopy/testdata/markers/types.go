// Package markers has the markers of both generators that this one replaces.
//
// +k8s:deepcopy-gen=package,register
package markers

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Plain gets DeepCopyInto and DeepCopy.
type Plain struct {
	Values []string `json:"values"`
}

// Excluded gets nothing.
// +k8s:deepcopy-gen=false
type Excluded struct {
	Values []string `json:"values"`
}

// AlsoExcluded gets nothing.
// +kubebuilder:object:generate=false
type AlsoExcluded struct {
	Values []string `json:"values"`
}

// Options has TypeMeta alone, and is an object since it says so.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
type Options struct {
	metav1.TypeMeta `json:",inline"`
	Values          []string `json:"values"`
}

// Config is an object by kubebuilder's marker.
// +kubebuilder:object:root=true
type Config struct {
	metav1.TypeMeta `json:",inline"`
	Values          []string `json:"values"`
}

// Template looks like a kind and is none.
// +kubebuilder:object:root=false
type Template struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// Shape is an interface of the package that values are copied by.
type Shape interface {
	DeepCopyShape() Shape
}

// Circle is a Shape by value.
// +k8s:deepcopy-gen:interfaces=github.com/kindsmith/kindsmith/internal/emit/deepcopy/testdata/markers.Shape
// +k8s:deepcopy-gen:nonpointer-interfaces=true
type Circle struct {
	Values []string `json:"values"`
}

// Holder holds an interface.
type Holder struct {
	Object  runtime.Object   `json:"-"`
	Objects []runtime.Object `json:"-"`
}
