package validate

import (
	"slices"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/sets"
)

// EnumExclusion excludes a value from an enum if an option is enabled or disabled.
type EnumExclusion[T ~string] = upstream.EnumExclusion[T]

// Enum checks that value is one of sorted, which must be in ascending order.
//
// Error: NotSupported with the supported values, no origin.
func Enum[T ~string](r *Run, at *Path, value T, sorted []T) bool {
	return contains(sorted, value) || notSupported(r, at, value, sorted, nil)
}

// EnumExcept checks that value is one of sorted, which must be in ascending order,
// and that no exclusion applies to it.
//
// Error: NotSupported with the values that are not excluded, no origin;
// InternalError if an option is not defined.
func EnumExcept[T ~string](r *Run, at *Path, value T, sorted []T, exclusions []EnumExclusion[T]) bool {
	for i := range exclusions {
		on, defined := r.Operation.Options[exclusions[i].Option]
		if !defined || exclusions[i].Value == value && exclusions[i].ExcludeWhen == on {
			return notSupported(r, at, value, sorted, exclusions)
		}
	}
	return contains(sorted, value) || notSupported(r, at, value, sorted, exclusions)
}

// longEnum is the number of values from which a binary search is faster than a
// linear one.
const longEnum = 16

func contains[T ~string](sorted []T, value T) bool {
	if len(sorted) < longEnum {
		return slices.Contains(sorted, value)
	}
	_, found := slices.BinarySearch(sorted, value)
	return found
}

func notSupported[T ~string](r *Run, at *Path, value T, sorted []T, exclusions []EnumExclusion[T]) bool {
	return r.Report(upstream.Enum(r.Context, r.Operation, r.FieldPath(at), &value, nil, sets.New(sorted...), exclusions))
}
