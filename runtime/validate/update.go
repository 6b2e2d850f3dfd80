package validate

import (
	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The rules about updates are told of a change that the caller has found; on
// create they report nothing and return true.

// Immutable reports that a value has changed.
//
// Error: Invalid without the value, origin "immutable".
func Immutable(r *Run, at *Path) bool { return !r.IsUpdate() || immutable(r, at) }

// Monotonic checks that an integer has not decreased from its old value.
//
// Error: Invalid, origin "monotonic".
func Monotonic[T Integer](r *Run, at *Path, value, old T) bool {
	return value >= old || decreased(r, at, value, old)
}

// UpdateNoSet reports that a field that was not set has been set.
//
// Error: Invalid without the value, origin "update".
func UpdateNoSet(r *Run, at *Path) bool {
	return !r.IsUpdate() || updatePointer(r, at, new(int), nil, upstream.NoSet)
}

// UpdateNoUnset reports that a field that was set has been unset.
//
// Error: Invalid without the value, origin "update".
func UpdateNoUnset(r *Run, at *Path) bool {
	return !r.IsUpdate() || updatePointer(r, at, nil, new(int), upstream.NoUnset)
}

// UpdateNoModify reports that the value of a field that was set, and still is,
// has changed.
//
// Error: Invalid without the value, origin "update".
func UpdateNoModify(r *Run, at *Path) bool {
	return !r.IsUpdate() || updatePointer(r, at, new(int), new(int), upstream.NoModify)
}

// UpdateNoAddItem reports that an item has been added to a list or map; at is
// the path of the new item.
//
// Error: Forbidden, origin "update".
func UpdateNoAddItem(r *Run, at *Path) bool {
	return !r.IsUpdate() || forbiddenUpdate(r, at, "item may not be added")
}

// UpdateNoRemoveItem reports that an item has been removed from a list or map;
// at is the path of the list, or of the map's old entry.
//
// Error: Forbidden, origin "update".
func UpdateNoRemoveItem(r *Run, at *Path) bool {
	return !r.IsUpdate() || forbiddenUpdate(r, at, "item may not be removed")
}

func immutable(r *Run, at *Path) bool {
	return r.Report(upstream.Immutable(r.Context, r.Operation, r.FieldPath(at), 0, 0))
}

func decreased[T Integer](r *Run, at *Path, value, old T) bool {
	return r.Report(upstream.Monotonic(r.Context, r.Operation, r.FieldPath(at), &value, &old))
}

func updatePointer(r *Run, at *Path, value, old *int, rule upstream.UpdateConstraint) bool {
	return r.Report(upstream.UpdatePointer(r.Context, operation.Operation{Type: operation.Update}, r.FieldPath(at), value, old, rule))
}

func forbiddenUpdate(r *Run, at *Path, detail string) bool {
	return r.report(field.Forbidden(r.FieldPath(at), detail).WithOrigin("update"))
}
