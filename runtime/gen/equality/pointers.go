package equality

// Ptr compares what two pointers point to with eq. It is meant for structs: a
// pointer equals itself, without asking eq.
func Ptr[T any](a, b *T, eq func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || eq(a, b)
}

// PtrComparable compares what two pointers point to with ==. It is meant for
// scalars: what they point to is compared even if they are the same pointer.
func PtrComparable[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
