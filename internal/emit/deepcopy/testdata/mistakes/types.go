// Package mistakes has fields that cannot be copied.
//
// +kubebuilder:object:generate=true
package mistakes

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Bad cannot be copied, field by field.
type Bad struct {
	Any       any                    `json:"any"`
	Values    map[string]any         `json:"values"`
	Func      func()                 `json:"-"`
	Chan      []chan int             `json:"-"`
	Stringer  fmt.Stringer           `json:"-"`
	Pool      *sync.Pool             `json:"-"`
	Excluded  Excluded               `json:"excluded"`
	Excludeds map[string]Excluded    `json:"excludeds"`
	Loop      Loop                   `json:"loop"`
	Box       atomic.Pointer[string] `json:"box"`
	Good      Box[string]            `json:"good"`
}

// Excluded is a struct with references and without methods.
// +kubebuilder:object:generate=false
type Excluded struct {
	Values []string `json:"values"`
}

// Loop is a pointer to itself.
type Loop *Loop

// Box is generic, and copied by a function.
type Box[T any] struct {
	Value T        `json:"value"`
	Inner Inner[T] `json:"inner"`
}

// Inner is used by Box only.
type Inner[T any] struct {
	Values []T `json:"values"`
}

// Crate is generic, and no type uses it.
type Crate[T any] struct {
	Value T `json:"value"`
}

// Crates need no function.
type Crates[T any] []T

// Tag has no references, whatever its type argument is.
type Tag[T any] struct {
	Name string `json:"name"`
}

// Left is excluded.
// +kubebuilder:object:generate=false
type Left[T any] struct {
	Value T `json:"value"`
}

// Circle is to be copied as something that is no interface.
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object{}
type Circle struct {
	Radius int32 `json:"radius"`
}
