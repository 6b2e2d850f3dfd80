package cel

import (
	"hash/maphash"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/internal/hashtable"
)

// API servers compare lists of type set and map without their order, but with their lengths: a list that repeats an item
// differs from one without the repetition.

// shortList is the length up to which comparing all pairs is faster than hashing.
const shortList = 8

var seed = maphash.MakeSeed()

// EqualSets reports whether two lists of type set are equal: they have as many items, and the same ones.
func EqualSets[T comparable](a, b []T) bool {
	return len(a) == len(b) && (slices.Equal(a, b) || includes(a, b) && includes(b, a))
}

// includes reports whether a list has all items of another one.
func includes[T comparable](list, items []T) bool {
	if len(list) <= shortList {
		for i := range items {
			if !slices.Contains(list, items[i]) {
				return false
			}
		}
		return true
	}
	table := hashtable.New(len(list))
	defer table.Free()
	find := func(item T) (hashtable.Probe, bool) {
		p := table.Probe(maphash.Comparable(seed, item))
		for i := table.Next(&p); i >= 0; i = table.Next(&p) {
			if list[i] == item {
				return p, true
			}
		}
		return p, false
	}
	for i := range list {
		if p, found := find(list[i]); !found {
			table.Put(p, i)
		}
	}
	for i := range items {
		if _, found := find(items[i]); !found {
			return false
		}
	}
	return true
}

// EqualMaps reports whether two lists of type map are equal: they have as many items, and the same ones under each key. Of
// items with one key, the last in a counts. hash and same are about the keys of items, equal is about whole items.
func EqualMaps[T any](a, b []T, hash func(*T) uint64, same, equal func(a, b *T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	inA := newKeyed(a, hash, same)
	defer inA.free()
	for i := range b {
		if found := inA.last(&b[i]); found == nil || !equal(found, &b[i]) {
			return false
		}
	}
	inB := newKeyed(b, hash, same)
	defer inB.free()
	for i := range a {
		if inB.last(&a[i]) == nil {
			return false
		}
	}
	return true
}

// keyed finds the items of a list by their keys.
type keyed[T any] struct {
	list []T
	hash func(*T) uint64
	same func(a, b *T) bool
	// table has the last item of each key; nil for a short list.
	table *hashtable.Table
}

func newKeyed[T any](list []T, hash func(*T) uint64, same func(a, b *T) bool) keyed[T] {
	k := keyed[T]{list: list, hash: hash, same: same}
	if len(list) <= shortList {
		return k
	}
	k.table = hashtable.New(len(list))
	for i := range slices.Backward(list) {
		if p, found := k.probe(&list[i]); found == nil {
			k.table.Put(p, i)
		}
	}
	return k
}

func (k *keyed[T]) free() {
	if k.table != nil {
		k.table.Free()
	}
}

// last returns the last item with the keys of an item; nil if there is none.
func (k *keyed[T]) last(item *T) *T {
	if k.table != nil {
		_, found := k.probe(item)
		return found
	}
	for i := len(k.list) - 1; i >= 0; i-- {
		if k.same(&k.list[i], item) {
			return &k.list[i]
		}
	}
	return nil
}

// probe looks an item up in the table. If it is not there, it returns the position for it.
func (k *keyed[T]) probe(item *T) (hashtable.Probe, *T) {
	p := k.table.Probe(k.hash(item))
	for i := k.table.Next(&p); i >= 0; i = k.table.Next(&p) {
		if k.same(&k.list[i], item) {
			return p, &k.list[i]
		}
	}
	return p, nil
}
