package equality

import (
	"bytes"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Quantity compares the values of two quantities, not how they are written:
// 1000m equals 1. It allocates for a quantity of more than 18 digits.
//
// Unlike resource.Quantity.Cmp it does not write numbers out, which for one as
// short as 1E10000000 takes seconds.
func Quantity(a, b *resource.Quantity) bool {
	if a == nil || b == nil {
		return a == b
	}
	if *a == *b {
		return true
	}
	if a.IsZero() || b.IsZero() {
		return a.IsZero() == b.IsZero()
	}
	var x, y [24]byte // room for 64 bits
	mantissa, exponent := a.AsCanonicalBytes(x[:0])
	other, at := b.AsCanonicalBytes(y[:0])
	return exponent == at && bytes.Equal(mantissa, other)
}

// Time compares two instants, whatever their time zones.
func Time(a, b *metav1.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.UTC() == b.UTC() //nolint:staticcheck // exactly what Semantic.DeepEqual does; Equal looks at monotonic clocks too
}

// MicroTime compares two instants, whatever their time zones.
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
	return a.Equal(*b)
}

// RawExtension compares two extensions: the bytes, and the decoded objects if
// there are any. Objects are compared by reflection, which allocates.
func RawExtension(a, b *runtime.RawExtension) bool {
	if a == nil || b == nil {
		return a == b
	}
	if !Bytes(a.Raw, b.Raw) {
		return false
	}
	return a.Object == nil && b.Object == nil || Semantic(a.Object, b.Object)
}

// Semantic is equality.Semantic.DeepEqual: reflection, for types that nothing
// is generated for. It allocates, and panics at unexported fields as that does.
func Semantic[T any](a, b T) bool { return equality.Semantic.DeepEqual(a, b) }
