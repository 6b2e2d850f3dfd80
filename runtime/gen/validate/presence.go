package validate

import "k8s.io/apimachinery/pkg/util/validation/field"

// Required checks that a field is set: a non-nil pointer, a non-empty list or map,
// or another non-zero value. The caller determines set.
//
// Error: Required, no origin.
func Required(r *Run, at *Path, set bool) bool { return set || required(r, at) }

// Forbidden checks that a field is not set. It is the counterpart of Required.
//
// Error: Forbidden, no origin.
func Forbidden(r *Run, at *Path, set bool) bool { return !set || forbidden(r, at) }

// NoNilItems checks that a list of pointers has no nil elements.
//
// Error: Required at each nil element, no origin.
func NoNilItems[T any](r *Run, at *Path, items []*T) bool {
	ok := true
	for i := range items {
		if items[i] == nil {
			ok = nilItem(r, at, i)
		}
	}
	return ok
}

// nilItem reports the nil element at index i. It always returns false.
func nilItem(r *Run, at *Path, i int) bool {
	item := at.Index(i)
	return required(r, &item)
}

func required(r *Run, at *Path) bool {
	return r.stop(field.Required(r.FieldPath(at), ""))
}

func forbidden(r *Run, at *Path) bool {
	return r.stop(field.Forbidden(r.FieldPath(at), ""))
}

// DependentRequired checks that the field named dependent is set if the field
// named trigger is set. Both are fields of the struct at the path. On update, the
// caller skips the check if neither field was set or unset.
//
// Error: Required at the dependent field, origin "dependentRequired".
func DependentRequired(r *Run, at *Path, trigger, dependent string, triggerSet, dependentSet bool) bool {
	return !triggerSet || dependentSet || dependentRequired(r, at, trigger, dependent)
}

// DependentForbidden checks that the field named dependent is not set if the field
// named trigger is set. Both are fields of the struct at the path. On update, the
// caller skips the check if neither field was set or unset.
//
// Error: Forbidden at the dependent field, origin "dependentForbidden".
func DependentForbidden(r *Run, at *Path, trigger, dependent string, triggerSet, dependentSet bool) bool {
	return !triggerSet || !dependentSet || dependentForbidden(r, at, trigger, dependent)
}

func dependentRequired(r *Run, at *Path, trigger, dependent string) bool {
	return r.report(field.Required(r.FieldPath(at).Child(dependent), "must be set when "+trigger+" is set").WithOrigin("dependentRequired"))
}

func dependentForbidden(r *Run, at *Path, trigger, dependent string) bool {
	return r.report(field.Forbidden(r.FieldPath(at).Child(dependent), "may not be set when "+trigger+" is set").WithOrigin("dependentForbidden"))
}
