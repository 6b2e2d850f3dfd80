package validate

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Rules on the items of lists and maps pass on create. A nil old list or map counts
// as empty.

// UpdateNoAddItem checks that every item of a list is in the old list, as compared
// by same.
//
// Error: Forbidden at each added item, origin "update".
func UpdateNoAddItem[T any](r *Run, at *Path, items, old []T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if !r.IsUpdate() {
		return true
	}
	var cursor Cursor
	defer cursor.Free()
	ok := true
	for i := range items {
		if Lookup(old, &cursor, &items[i], hash, same) == nil {
			at := at.Index(i)
			ok = itemAdded(r, &at)
		}
	}
	return ok
}

// UpdateNoAddItemPtr is like UpdateNoAddItem, for a list of pointers; it skips nil
// items.
func UpdateNoAddItemPtr[T any](r *Run, at *Path, items, old []*T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if !r.IsUpdate() {
		return true
	}
	var cursor Cursor
	defer cursor.Free()
	ok := true
	for i, item := range items {
		if item != nil && LookupPtr(old, &cursor, item, hash, same) == nil {
			at := at.Index(i)
			ok = itemAdded(r, &at)
		}
	}
	return ok
}

// UpdateNoRemoveItem checks that every item of the old list is in the list, as
// compared by same.
//
// Error: Forbidden at the list for each removed item, origin "update".
func UpdateNoRemoveItem[T any](r *Run, at *Path, items, old []T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if !r.IsUpdate() {
		return true
	}
	var cursor Cursor
	defer cursor.Free()
	ok := true
	for i := range old {
		if Lookup(items, &cursor, &old[i], hash, same) == nil {
			ok = itemRemoved(r, at)
		}
	}
	return ok
}

// UpdateNoRemoveItemPtr is like UpdateNoRemoveItem, for a list of pointers; it
// skips nil items.
func UpdateNoRemoveItemPtr[T any](r *Run, at *Path, items, old []*T, hash func(*T) uint64, same func(a, b *T) bool) bool {
	if !r.IsUpdate() {
		return true
	}
	var cursor Cursor
	defer cursor.Free()
	ok := true
	for _, item := range old {
		if item != nil && LookupPtr(items, &cursor, item, hash, same) == nil {
			ok = itemRemoved(r, at)
		}
	}
	return ok
}

// UpdateNoAddKey checks that every key of a map is in the old map.
//
// Error: Forbidden at each other key, in their order, origin "update".
func UpdateNoAddKey[K ~string, V any](r *Run, at *Path, m, old map[K]V) bool {
	return !r.IsUpdate() || hasKeys(old, m) || keysMissing(r, at, old, m, "item may not be added")
}

// UpdateNoRemoveKey checks that every key of the old map is in the map.
//
// Error: Forbidden at each other key, in their order, origin "update".
func UpdateNoRemoveKey[K ~string, V any](r *Run, at *Path, m, old map[K]V) bool {
	return !r.IsUpdate() || hasKeys(m, old) || keysMissing(r, at, m, old, "item may not be removed")
}

// hasKeys reports whether m has all keys of other.
func hasKeys[K ~string, V any](m, other map[K]V) bool {
	for k := range other {
		if _, ok := m[k]; !ok {
			return false
		}
	}
	return true
}

func keysMissing[K ~string, V any](r *Run, at *Path, m, other map[K]V, detail string) bool {
	var missing []string
	for k := range other {
		if _, ok := m[k]; !ok {
			missing = append(missing, string(k))
		}
	}
	slices.Sort(missing)
	for _, k := range missing {
		at := at.Key(k)
		forbiddenUpdate(r, &at, detail)
	}
	return false
}

func itemAdded(r *Run, at *Path) bool   { return forbiddenUpdate(r, at, "item may not be added") }
func itemRemoved(r *Run, at *Path) bool { return forbiddenUpdate(r, at, "item may not be removed") }

func forbiddenUpdate(r *Run, at *Path, detail string) bool {
	return r.stop(field.Forbidden(r.FieldPath(at), detail).WithOrigin("update"))
}
