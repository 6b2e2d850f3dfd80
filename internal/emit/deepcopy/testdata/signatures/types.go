// Package signatures has types whose hand-written methods have the names of copy methods and other signatures.
//
// +kubebuilder:object:generate=true
package signatures

import "k8s.io/apimachinery/pkg/runtime/schema"

// Deep has a DeepCopyInto with another parameter.
type Deep struct{ Words []string }

func (in *Deep) DeepCopyInto(out *Deep, words bool) { panic("must not be called") }

// Failing has a DeepCopyInto with a result.
type Failing struct{ Words []string }

func (in *Failing) DeepCopyInto(out *Failing) error { panic("must not be called") }

// Value has a DeepCopyInto that takes no pointer, and its own DeepCopy.
type Value struct {
	Words  []string
	Copied bool
}

func (in *Value) DeepCopyInto(out Value) { panic("must not be called") }

func (in *Value) DeepCopy() *Value {
	return &Value{Words: append([]string(nil), in.Words...), Copied: true}
}

// Other has a DeepCopy that returns another type.
type Other struct{ Words []string }

func (in *Other) DeepCopy() *Deep { panic("must not be called") }

// Errs has a DeepCopy with two results, and its own DeepCopyInto.
type Errs struct {
	Words  []string
	Copied bool
}

func (in *Errs) DeepCopy() (*Errs, error) { panic("must not be called") }

func (in *Errs) DeepCopyInto(out *Errs) {
	out.Words, out.Copied = append([]string(nil), in.Words...), true
}

// Neither has both with other signatures.
//
// +kubebuilder:object:root=true
type Neither struct{ Words []string }

func (in *Neither) DeepCopyInto(out *Neither, words bool) { panic("must not be called") }

func (in *Neither) DeepCopy() (*Neither, error) { panic("must not be called") }

func (in *Neither) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// Object has a DeepCopyInto with another signature.
//
// +kubebuilder:object:root=true
type Object struct{ Words []string }

func (in *Object) DeepCopyInto(out *Object) bool { panic("must not be called") }

func (in *Object) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// List is a list with a DeepCopyInto with another signature.
type List []Deep

func (in List) DeepCopyInto(out List) { panic("must not be called") }

// Map is a map without methods of the usual signatures.
type Map map[string][]string

func (in Map) DeepCopyInto(out Map) { panic("must not be called") }

func (in Map) DeepCopy() map[string][]string { panic("must not be called") }

// Array is an array with a DeepCopy with another signature.
type Array [2]Deep

func (in Array) DeepCopy(words bool) Array { panic("must not be called") }

// All has a field of each type in each place.
type All struct {
	Deep    Places[Deep]
	Failing Places[Failing]
	Value   Places[Value]
	Other   Places[Other]
	Errs    Places[Errs]
	Neither Places[Neither]
	Object  Places[Object]
	List    Places[List]
	Map     Places[Map]
	Array   Places[Array]

	Embedded
}

// Embedded is embedded.
type Embedded struct{ Neither }

// Places are the places that a type can be in.
//
// +kubebuilder:object:generate=false
type Places[T any] struct {
	Field   T
	Pointer *T
	Items   []T
	Values  map[string]T
	Refs    []*T
}
