package equality

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/runtime/gen/quantity"
)

// Quantity compares two quantities by value: 1000m equals 1. It allocates for
// quantities of more than 18 digits.
//
// Unlike resource.Quantity.Cmp it does not expand numbers, which takes seconds for
// one as short as 1E10000000.
func Quantity(a, b *resource.Quantity) bool {
	if a == nil || b == nil {
		return a == b
	}
	return quantity.Equal(a, b)
}

// Time compares two instants, ignoring time zones.
func Time(a, b *metav1.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.UTC() == b.UTC() //nolint:staticcheck // exactly what Semantic.DeepEqual does; Equal looks at monotonic clocks too
}

// MicroTime compares two instants, ignoring time zones.
func MicroTime(a, b *metav1.MicroTime) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.UTC() == b.UTC() //nolint:staticcheck // exactly what Semantic.DeepEqual does; Equal looks at monotonic clocks too
}

// FieldsV1 compares two sets of managed fields, byte by byte.
func FieldsV1(a, b *metav1.FieldsV1) bool {
	if a == nil || b == nil {
		return a == b
	}
	if e, ok := any(a).(interface{ Equal(b metav1.FieldsV1) bool }); ok { // since v0.36
		return e.Equal(*b)
	}
	return a.String() == b.String()
}

// RawExtension compares two extensions: the bytes, and the decoded objects if
// present. Objects are compared by reflection, which allocates.
func RawExtension(a, b *runtime.RawExtension) bool {
	if a == nil || b == nil {
		return a == b
	}
	if !Bytes(a.Raw, b.Raw) {
		return false
	}
	return a.Object == nil && b.Object == nil || Semantic(a.Object, b.Object)
}

// Semantic is equality.Semantic.DeepEqual, for types without generated equality
// functions. It uses reflection, allocates, and panics at unexported fields.
func Semantic[T any](a, b T) bool { return equality.Semantic.DeepEqual(a, b) }
