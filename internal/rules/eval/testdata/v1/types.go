// Package v1 is an API for the evaluator's tests.
//
// +groupName=eval.example.com
package v1

import (
	"context"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Thing has a field of every type.
//
// +k8s:supportsSubresource="/status"
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec `json:"spec,omitempty"`
}

// Spec is what a Thing is.
type Spec struct {
	*Inlined `json:",inline"`

	// +k8s:optional
	// +k8s:maxLength=5
	Text string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:minimum=9007199254740993
	Large *int64 `json:"large,omitempty"`
	// +k8s:optional
	// +k8s:maximum=18446744073709551614
	Huge uint64 `json:"huge,omitempty"`
	Byte uint8  `json:"byte,omitempty"`
	Flag bool   `json:"flag,omitempty"`
	// +k8s:optional
	// +k8s:immutable
	Memory  *resource.Quantity   `json:"memory,omitempty"`
	Timeout metav1.Duration      `json:"timeout,omitempty"`
	At      *metav1.MicroTime    `json:"at,omitempty"`
	Port    intstr.IntOrString   `json:"port,omitempty"`
	Raw     runtime.RawExtension `json:"raw,omitempty"`
	Ratio   float32              `json:"ratio,omitempty"`
	Data    []byte               `json:"data,omitempty"`
	// +k8s:optional
	// +k8s:listType=map
	// +k8s:listMapKey=name
	Items  []*Item           `json:"items,omitempty"`
	Labels map[string]string `json:"labels,omitempty"`
	Counts map[int32]string  `json:"counts,omitempty"`
	Pair   [2]int32          `json:"pair,omitempty"`
	// +k8s:optional
	Own *Own `json:"own,omitempty"`
	// +k8s:optional
	// +k8s:customValidation
	Custom string `json:"custom,omitempty"`
	Any    any    `json:"any,omitempty"` //nolint:all // kept as it is
	Hidden string `json:"-"`
	// +k8s:optional
	// +k8s:maximum=10
	Quoted *int32 `json:"quoted,omitempty,string"`
}

// Inlined is a part of a Spec.
type Inlined struct {
	// +k8s:optional
	// +k8s:format=k8s-short-name
	Host string `json:"host,omitempty"`
}

// Item is one of several.
type Item struct {
	// +k8s:required
	Name string `json:"name"`
	// +k8s:optional
	// +k8s:monotonic
	Generation int32 `json:"generation,omitempty"`
	Next       *Item `json:"next,omitempty"`
}

// Own writes its own JSON.
type Own struct {
	// +k8s:required
	Name string `json:"name"`
}

// UnmarshalJSON takes whatever it is given.
func (o *Own) UnmarshalJSON(text []byte) error {
	o.Name = string(text)
	return nil
}

// ValidateCustom_Spec_Custom is not run by the evaluator.
func ValidateCustom_Spec_Custom(context.Context, operation.Operation, *field.Path, *string, *string) field.ErrorList {
	return nil
}
