// Package cel has the functions that validators generated from CEL rules call. Only generated code
// uses it.
//
// [AddFits] and [AddDuration] show the form of such pairs.
//
// A CEL function that can fail has two functions here: one reports whether the call succeeds, and
// the other is the call, which must succeed.
package cel

import "slices"

// Every reports whether a condition is true for all items.
func Every[E any](list []E, holds func(*E) bool) bool {
	for i := range list {
		if !holds(&list[i]) {
			return false
		}
	}
	return true
}

// Copy returns a pointer to a copy of a value that has no address, such as one of a map.
func Copy[T any](value T) *T { return &value }

// Some reports whether a condition is true for some item.
func Some[E any](list []E, holds func(*E) bool) bool {
	for i := range list {
		if holds(&list[i]) {
			return true
		}
	}
	return false
}

// Count returns the number of items for which a condition is true.
func Count[E any](list []E, holds func(*E) bool) int {
	n := 0
	for i := range list {
		if holds(&list[i]) {
			n++
		}
	}
	return n
}

// EveryIndexed reports whether a condition is true for all indexes and items.
func EveryIndexed[E any](list []E, holds func(int64, *E) bool) bool {
	for i := range list {
		if !holds(int64(i), &list[i]) {
			return false
		}
	}
	return true
}

// SomeIndexed reports whether a condition is true for some index and its item.
func SomeIndexed[E any](list []E, holds func(int64, *E) bool) bool {
	for i := range list {
		if holds(int64(i), &list[i]) {
			return true
		}
	}
	return false
}

// EveryKey reports whether a condition is true for all keys.
func EveryKey[K comparable, V any](m map[K]V, holds func(K) bool) bool {
	for k := range m {
		if !holds(k) {
			return false
		}
	}
	return true
}

// SomeKey reports whether a condition is true for some key.
func SomeKey[K comparable, V any](m map[K]V, holds func(K) bool) bool {
	for k := range m {
		if holds(k) {
			return true
		}
	}
	return false
}

// CountKeys returns the number of keys for which a condition is true.
func CountKeys[K comparable, V any](m map[K]V, holds func(K) bool) int {
	n := 0
	for k := range m {
		if holds(k) {
			n++
		}
	}
	return n
}

// EveryEntry reports whether a condition is true for all keys and their values.
func EveryEntry[K comparable, V any](m map[K]V, holds func(K, V) bool) bool {
	for k, v := range m {
		if !holds(k, v) {
			return false
		}
	}
	return true
}

// SomeEntry reports whether a condition is true for some key and its value.
func SomeEntry[K comparable, V any](m map[K]V, holds func(K, V) bool) bool {
	for k, v := range m {
		if holds(k, v) {
			return true
		}
	}
	return false
}

// HasKey reports whether a map has a key.
func HasKey[K comparable, V any](m map[K]V, key K) bool {
	_, ok := m[key]
	return ok
}

// CountTrue returns the number of true conditions.
func CountTrue(conditions ...bool) int {
	n := 0
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}

// Index is list.indexOf(item).
func Index[E comparable](list []E, item E) int64 { return int64(slices.Index(list, item)) }

// LastIndex is list.lastIndexOf(item).
func LastIndex[E comparable](list []E, item E) int64 {
	for i, x := range slices.Backward(list) {
		if x == item {
			return int64(i)
		}
	}
	return -1
}
