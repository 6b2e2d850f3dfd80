package validate

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// MinItems checks that a list of the given length has at least n items.
//
// Error: TooFew, origin "minItems".
func MinItems(r *Run, at *Path, length, n int) bool {
	return length >= n || tooFew(r, at, length, n, "minItems")
}

// MaxItems checks that a list of the given length has at most n items.
//
// Error: TooMany, origin "maxItems".
func MaxItems(r *Run, at *Path, length, n int) bool {
	return length <= n || tooMany(r, at, length, n, "maxItems")
}

// MinProperties checks that a map of the given length has at least n entries.
//
// Error: TooFew, origin "minProperties".
func MinProperties(r *Run, at *Path, length, n int) bool {
	return length >= n || tooFew(r, at, length, n, "minProperties")
}

// MaxProperties checks that a map of the given length has at most n entries.
//
// Error: TooMany, origin "maxProperties".
func MaxProperties(r *Run, at *Path, length, n int) bool {
	return length <= n || tooMany(r, at, length, n, "maxProperties")
}

func tooFew(r *Run, at *Path, length, n int, origin string) bool {
	return r.report(&field.Error{
		Type:     skew.TooFew,
		Field:    r.FieldPath(at).String(),
		BadValue: length,
		Detail:   fmt.Sprintf("must have at least %d %s", n, plural(n, "item")),
		Origin:   origin,
	})
}

func tooMany(r *Run, at *Path, length, n int, origin string) bool {
	return r.stop(field.TooMany(r.FieldPath(at), length, n).WithOrigin(origin))
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
