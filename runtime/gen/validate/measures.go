package validate

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/gen/quantity"
)

// MinimumDuration checks that value is at least bound.
//
// Error: Invalid, origin "minimum".
func MinimumDuration(r *Run, at *Path, value, bound time.Duration) bool {
	return value >= bound || outside(r, at, value.String(), bound.String(), minimum)
}

// MaximumDuration checks that value is at most bound.
//
// Error: Invalid, origin "maximum".
func MaximumDuration(r *Run, at *Path, value, bound time.Duration) bool {
	return value <= bound || outside(r, at, value.String(), bound.String(), maximum)
}

// ExclusiveMinimumDuration checks that value is greater than bound.
//
// Error: Invalid, origin "exclusiveMinimum".
func ExclusiveMinimumDuration(r *Run, at *Path, value, bound time.Duration) bool {
	return value > bound || outside(r, at, value.String(), bound.String(), exclusiveMinimum)
}

// ExclusiveMaximumDuration checks that value is less than bound.
//
// Error: Invalid, origin "exclusiveMaximum".
func ExclusiveMaximumDuration(r *Run, at *Path, value, bound time.Duration) bool {
	return value < bound || outside(r, at, value.String(), bound.String(), exclusiveMaximum)
}

// MinimumQuantity checks that value is at least bound. Like the other checks of quantities it
// changes neither. See quantity.Compare for allocations.
//
// Error: Invalid, origin "minimum".
func MinimumQuantity(r *Run, at *Path, value, bound *resource.Quantity) bool {
	return quantity.Compare(value, bound) >= 0 || outsideQuantity(r, at, *value, *bound, minimum)
}

// MaximumQuantity checks that value is at most bound.
//
// Error: Invalid, origin "maximum".
func MaximumQuantity(r *Run, at *Path, value, bound *resource.Quantity) bool {
	return quantity.Compare(value, bound) <= 0 || outsideQuantity(r, at, *value, *bound, maximum)
}

// ExclusiveMinimumQuantity checks that value is greater than bound.
//
// Error: Invalid, origin "exclusiveMinimum".
func ExclusiveMinimumQuantity(r *Run, at *Path, value, bound *resource.Quantity) bool {
	return quantity.Compare(value, bound) > 0 || outsideQuantity(r, at, *value, *bound, exclusiveMinimum)
}

// ExclusiveMaximumQuantity checks that value is less than bound.
//
// Error: Invalid, origin "exclusiveMaximum".
func ExclusiveMaximumQuantity(r *Run, at *Path, value, bound *resource.Quantity) bool {
	return quantity.Compare(value, bound) < 0 || outsideQuantity(r, at, *value, *bound, exclusiveMaximum)
}

// relation is the kind of a bound: the origin and the words of its errors.
type relation struct{ origin, words string }

var (
	minimum          = relation{"minimum", "must be greater than or equal to "}
	maximum          = relation{"maximum", "must be less than or equal to "}
	exclusiveMinimum = relation{"exclusiveMinimum", "must be greater than "}
	exclusiveMaximum = relation{"exclusiveMaximum", "must be less than "}
)

func outside(r *Run, at *Path, value, bound string, must relation) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, must.words+bound).WithOrigin(must.origin))
}

// outsideQuantity uses copies, because formatting a quantity caches its text.
func outsideQuantity(r *Run, at *Path, value, bound resource.Quantity, must relation) bool {
	return outside(r, at, value.String(), bound.String(), must)
}
