package equality

// Ptr compares the values of two pointers with eq. Use it for structs: a pointer
// equals itself without a call of eq.
func Ptr[T any](a, b *T, eq func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a == b || eq(a, b)
}

// PtrComparable compares the values of two pointers with ==. Use it for scalars:
// it compares the values even if the pointers are the same.
func PtrComparable[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
