package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/validate/constraints"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Integer is any integer type.
type Integer = constraints.Integer

// Minimum checks that value is at least bound.
//
// Error: Invalid, origin "minimum".
func Minimum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value >= bound || invalid(r, at, value, bound, "minimum", "must be greater than or equal to %d")
}

// Maximum checks that value is at most bound.
//
// Error: Invalid, origin "maximum".
func Maximum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value <= bound || invalid(r, at, value, bound, "maximum", "must be less than or equal to %d")
}

// ExclusiveMinimum checks that value is greater than bound.
//
// Error: Invalid, origin "exclusiveMinimum".
func ExclusiveMinimum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value > bound || invalid(r, at, value, bound, "exclusiveMinimum", "must be greater than %d")
}

// ExclusiveMaximum checks that value is less than bound.
//
// Error: Invalid, origin "exclusiveMaximum".
func ExclusiveMaximum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value < bound || invalid(r, at, value, bound, "exclusiveMaximum", "must be less than %d")
}

// MultipleOf checks that value is a multiple of factor, which must not be zero.
// Zero is a multiple of everything.
//
// Error: Invalid, origin "multipleOf".
func MultipleOf[T Integer](r *Run, at *Path, value, factor T) bool {
	return value%factor == 0 || invalid(r, at, value, factor, "multipleOf", "must be a multiple of %d")
}

func invalid[T Integer](r *Run, at *Path, value, bound T, origin, detail string) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, fmt.Sprintf(detail, bound)).WithOrigin(origin))
}
