package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Callers of these checks have compared the values and call them only for changed
// values. On create, the checks report nothing and return true.

// Immutable reports that a value has changed.
//
// Error: Invalid without the value, origin "immutable".
func Immutable(r *Run, at *Path) bool {
	return !r.IsUpdate() || changed(r, at, "field is immutable", "immutable")
}

// Monotonic checks that an integer has not decreased from its old value.
//
// Error: Invalid, origin "monotonic".
func Monotonic[T Integer](r *Run, at *Path, value, old T) bool {
	return value >= old || !r.IsUpdate() || decreased(r, at, value, old)
}

// UpdateNoSet checks that a field that was not set is not set now.
//
// Error: Invalid without the value, origin "update".
func UpdateNoSet(r *Run, at *Path, was, is bool) bool {
	return was || !is || !r.IsUpdate() || changed(r, at, "field cannot be set once created", "update")
}

// UpdateNoUnset checks that a field that was set is set now.
//
// Error: Invalid without the value, origin "update".
func UpdateNoUnset(r *Run, at *Path, was, is bool) bool {
	return !was || is || !r.IsUpdate() || changed(r, at, "field cannot be cleared once set", "update")
}

// UpdateNoModify checks that a field was not set or is not set now. The caller has
// found that its value changed.
//
// Error: Invalid without the value, origin "update".
func UpdateNoModify(r *Run, at *Path, was, is bool) bool {
	return !was || !is || !r.IsUpdate() || changed(r, at, "field cannot be modified once set", "update")
}

func decreased[T Integer](r *Run, at *Path, value, old T) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, fmt.Sprintf("may not be decreased from %v", old)).WithOrigin("monotonic"))
}

// changed reports a change of a value. It always returns false.
func changed(r *Run, at *Path, detail, origin string) bool {
	return r.stop(field.Invalid(r.FieldPath(at), nil, detail).WithOrigin(origin))
}
