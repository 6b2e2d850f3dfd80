package validate

import (
	upstream "k8s.io/apimachinery/pkg/api/validate"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// MinItems checks that a list of the given length has at least n items.
//
// Error: TooFew, origin "minItems".
func MinItems(r *Run, at *Path, length, n int) bool {
	return length >= n || tooFewItems(r, at, length, n)
}

// MaxItems checks that a list of the given length has at most n items.
//
// Error: TooMany, origin "maxItems".
func MaxItems(r *Run, at *Path, length, n int) bool {
	return length <= n || tooManyItems(r, at, length, n)
}

// MinProperties checks that a map of the given length has at least n entries.
//
// Error: TooFew, origin "minProperties".
func MinProperties(r *Run, at *Path, length, n int) bool {
	return length >= n || tooFewProperties(r, at, length, n)
}

// MaxProperties checks that a map of the given length has at most n entries.
//
// Error: TooMany, origin "maxProperties".
func MaxProperties(r *Run, at *Path, length, n int) bool {
	return length <= n || tooManyProperties(r, at, length, n)
}

func tooFewItems(r *Run, at *Path, length, n int) bool {
	return r.Report(upstream.MinItems(r.Context, r.Operation, r.FieldPath(at), make([]struct{}, length), nil, n))
}

func tooManyItems(r *Run, at *Path, length, n int) bool {
	return r.stop(upstream.MaxItems(r.Context, r.Operation, r.FieldPath(at), make([]struct{}, length), nil, n))
}

func tooFewProperties(r *Run, at *Path, length, n int) bool {
	return r.report(field.TooFew(r.FieldPath(at), length, n).WithOrigin("minProperties"))
}

func tooManyProperties(r *Run, at *Path, length, n int) bool {
	return r.stop(field.ErrorList{field.TooMany(r.FieldPath(at), length, n).WithOrigin("maxProperties")})
}
