package validate

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// EnumExclusion excludes a value from an enum if an option is enabled or disabled.
type EnumExclusion[T ~string] struct {
	Value T
	// ExcludeWhen is whether the option is enabled when it excludes the value.
	ExcludeWhen bool
	Option      string
}

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
	excluded, undefined := isExcluded(r, value, exclusions)
	return undefined == "" && !excluded && contains(sorted, value) || notSupported(r, at, value, sorted, exclusions)
}

// isExcluded reports whether an exclusion applies to a value. If it cannot know, it
// returns the name of the option that is not defined.
func isExcluded[T ~string](r *Run, value T, exclusions []EnumExclusion[T]) (excluded bool, undefined string) {
	for i := range exclusions {
		on, defined := skew.Option(r.Operation.Options, exclusions[i].Option)
		switch {
		case !defined:
			return false, exclusions[i].Option
		case exclusions[i].Value == value && exclusions[i].ExcludeWhen == on:
			return true, ""
		}
	}
	return false, ""
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

// notSupported reports a value that is not supported, or an option that is not
// defined. It always returns false.
func notSupported[T ~string](r *Run, at *Path, value T, sorted []T, exclusions []EnumExclusion[T]) bool {
	if _, undefined := isExcluded(r, value, exclusions); undefined != "" {
		return undefinedOption(r, at, undefined)
	}
	supported := make([]T, 0, len(sorted))
	for _, v := range sorted {
		excluded, undefined := isExcluded(r, v, exclusions)
		if undefined != "" {
			return undefinedOption(r, at, undefined)
		}
		if !excluded {
			supported = append(supported, v)
		}
	}
	return r.report(field.NotSupported(r.FieldPath(at), value, supported))
}
