package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/validate/constraints"

	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Integer is any integer type.
type Integer = constraints.Integer

// Minimum checks that value is at least bound.
//
// Error: Invalid, origin "minimum".
func Minimum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value >= bound || belowMinimum(r, at, value, bound)
}

// Maximum checks that value is at most bound.
//
// Error: Invalid, origin "maximum".
func Maximum[T Integer](r *Run, at *Path, value, bound T) bool {
	return value <= bound || aboveMaximum(r, at, value, bound)
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

func belowMinimum[T Integer](r *Run, at *Path, value, bound T) bool {
	return r.Report(upstream.Minimum(r.Context, r.Operation, r.FieldPath(at), &value, nil, bound))
}

func aboveMaximum[T Integer](r *Run, at *Path, value, bound T) bool {
	return r.Report(upstream.Maximum(r.Context, r.Operation, r.FieldPath(at), &value, nil, bound))
}

func invalid[T Integer](r *Run, at *Path, value, bound T, origin, detail string) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, fmt.Sprintf(detail, bound)).WithOrigin(origin))
}
