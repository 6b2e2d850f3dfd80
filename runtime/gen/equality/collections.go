package equality

import (
	"bytes"
	"reflect"
	"slices"
)

// A slice equals itself, and so does a map of comparable values, even if it
// contains an item that does not equal itself, such as NaN. Semantic.DeepEqual
// does the same. It also does so for other maps; these functions do not, because
// NaNs in them are too rare.

// Slice compares two slices item by item with eq.
func Slice[T any](a, b []T, eq func(a, b *T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range a {
		if !eq(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

// SliceComparable compares two slices of items that compare with ==.
func SliceComparable[T comparable](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// Bytes compares two byte slices.
func Bytes(a, b []byte) bool { return bytes.Equal(a, b) }

// Map compares two maps value by value with eq, which gets pointers to copies.
//
// It is small enough to be inlined. The copies are then on the stack, if eq is a
// function known to the compiler that does not retain its arguments. With an eq
// that is a variable, Map allocates for each value.
func Map[K comparable, V any](a, b map[K]V, eq func(a, b *V) bool) bool {
	if len(a) != len(b) {
		return false
	}
	// Declared outside the loop, they may be on the stack of a recursive eq as well.
	var key K
	var x, y V
	var found bool
	for key, x = range a {
		if y, found = b[key]; !found || !eq(&x, &y) {
			return false
		}
	}
	return true
}

// MapComparable compares two maps of values that compare with ==.
func MapComparable[K, V comparable](a, b map[K]V) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer() {
		return true
	}
	for key, x := range a {
		if y, found := b[key]; !found || x != y {
			return false
		}
	}
	return true
}
