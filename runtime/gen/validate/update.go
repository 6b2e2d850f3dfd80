package validate

import (
	"k8s.io/apimachinery/pkg/api/operation"
	upstream "k8s.io/apimachinery/pkg/api/validate"
)

// Callers of these checks have compared the values and call them only for changed
// values. On create, the checks report nothing and return true.

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

// UpdateNoSet checks that a field that was not set is not set now.
//
// Error: Invalid without the value, origin "update".
func UpdateNoSet(r *Run, at *Path, was, is bool) bool {
	return was || !is || !r.IsUpdate() || updatePointer(r, at, new(int), nil, upstream.NoSet)
}

// UpdateNoUnset checks that a field that was set is set now.
//
// Error: Invalid without the value, origin "update".
func UpdateNoUnset(r *Run, at *Path, was, is bool) bool {
	return !was || is || !r.IsUpdate() || updatePointer(r, at, nil, new(int), upstream.NoUnset)
}

// UpdateNoModify checks that a field was not set or is not set now. The caller has
// found that its value changed.
//
// Error: Invalid without the value, origin "update".
func UpdateNoModify(r *Run, at *Path, was, is bool) bool {
	return !was || !is || !r.IsUpdate() || updatePointer(r, at, new(int), new(int), upstream.NoModify)
}

func immutable(r *Run, at *Path) bool {
	return r.stop(upstream.Immutable(r.Context, r.Operation, r.FieldPath(at), 0, 0))
}

func decreased[T Integer](r *Run, at *Path, value, old T) bool {
	return r.Report(upstream.Monotonic(r.Context, r.Operation, r.FieldPath(at), &value, &old))
}

func updatePointer(r *Run, at *Path, value, old *int, rule upstream.UpdateConstraint) bool {
	return r.stop(upstream.UpdatePointer(r.Context, operation.Operation{Type: operation.Update}, r.FieldPath(at), value, old, rule))
}
