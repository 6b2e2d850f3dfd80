package equality

import (
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kindsmith/kindsmith/runtime/internal/quantity"
)

// Quantity compares the values of two quantities, not how they are written:
// 1000m equals 1. See quantity.Compare for what allocates.
func Quantity(a, b *resource.Quantity) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b || quantity.Compare(a, b) == 0
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
