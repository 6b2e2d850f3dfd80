package validate

import (
	"hash/maphash"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/hashtable"
)

// Every item that equals an earlier one is reported once, in the order of the
// list. Upstream's functions report the same, but take time quadratic in the length
// of the list; for that reason these checks do not call them.

// shortList is the length up to which comparing all pairs is faster than hashing,
// measured by BenchmarkUnique.
const shortList = 8

// UniqueValues checks that no two items are equal.
//
// Error: Duplicate at the later item, no origin.
func UniqueValues[T comparable](r *Run, at *Path, items []T) bool {
	if len(items) > shortList {
		return uniqueValues(r, at, items)
	}
	ok := true
	for j := 1; j < len(items); j++ {
		for i := range j {
			if items[i] == items[j] {
				ok = duplicate(r, at, j, items[j])
				break
			}
		}
	}
	return ok
}

// UniqueFunc checks that no two items are the same. same must be an equivalence
// relation, and hash must return equal hashes for items that are the same.
//
// Error: Duplicate at the later item, no origin.
func UniqueFunc[T any](r *Run, at *Path, items []T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if len(items) > shortList {
		return uniqueFunc(r, at, items, hash, same)
	}
	ok := true
	for j := 1; j < len(items); j++ {
		for i := range j {
			if same(&items[i], &items[j]) {
				ok = duplicate(r, at, j, items[j])
				break
			}
		}
	}
	return ok
}

// UniquePtrFunc is like UniqueFunc, for a list of pointers. It skips nil items,
// which NoNilItems reports.
//
// Error: Duplicate at the later item, no origin.
func UniquePtrFunc[T any](r *Run, at *Path, items []*T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if len(items) > shortList {
		return uniquePtrFunc(r, at, items, hash, same)
	}
	ok := true
	for j := 1; j < len(items); j++ {
		if items[j] == nil {
			continue
		}
		for i := range j {
			if items[i] != nil && same(items[i], items[j]) {
				ok = duplicate(r, at, j, items[j])
				break
			}
		}
	}
	return ok
}

func uniqueValues[T comparable](r *Run, at *Path, items []T) bool {
	seen := hashtable.New(len(items))
	defer seen.Free()
	ok := true
next:
	for j := range items {
		p := seen.Probe(maphash.Comparable(seed, items[j]))
		for i := seen.Next(&p); i >= 0; i = seen.Next(&p) {
			if items[i] == items[j] {
				ok = duplicate(r, at, j, items[j])
				continue next
			}
		}
		seen.Put(p, j)
	}
	return ok
}

func uniqueFunc[T any](r *Run, at *Path, items []T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	seen := hashtable.New(len(items))
	defer seen.Free()
	ok := true
next:
	for j := range items {
		p := seen.Probe(hash(&items[j]))
		for i := seen.Next(&p); i >= 0; i = seen.Next(&p) {
			if same(&items[i], &items[j]) {
				ok = duplicate(r, at, j, items[j])
				continue next
			}
		}
		seen.Put(p, j)
	}
	return ok
}

func uniquePtrFunc[T any](r *Run, at *Path, items []*T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	seen := hashtable.New(len(items))
	defer seen.Free()
	ok := true
next:
	for j, item := range items {
		if item == nil {
			continue
		}
		p := seen.Probe(hash(item))
		for i := seen.Next(&p); i >= 0; i = seen.Next(&p) {
			if same(items[i], item) {
				ok = duplicate(r, at, j, item)
				continue next
			}
		}
		seen.Put(p, j)
	}
	return ok
}

// duplicate reports the item at index i. It always returns false.
func duplicate[T any](r *Run, at *Path, i int, item T) bool {
	return r.report(field.Duplicate(r.FieldPath(at).Index(i), item))
}
