package validate

import (
	"regexp"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// NEQ checks that value does not equal disallowed.
//
// Error: Invalid, origin "neq".
func NEQ[T comparable](r *Run, at *Path, value, disallowed T) bool {
	return value != disallowed || disallowedValue(r, at, value, disallowed)
}

// Pattern checks that re matches value. Like in OpenAPI, the pattern is not
// anchored: use ^ and $ to match the whole value.
//
// Error: Invalid, origin "pattern".
func Pattern[T ~string](r *Run, at *Path, value T, re *regexp.Regexp) bool {
	return re.MatchString(string(value)) || noMatch(r, at, value, re)
}

func disallowedValue[T comparable](r *Run, at *Path, value, disallowed T) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, content.NEQError(disallowed)).WithOrigin("neq"))
}

func noMatch[T ~string](r *Run, at *Path, value T, re *regexp.Regexp) bool {
	return r.report(field.Invalid(r.FieldPath(at), value, "must match the regular expression `"+re.String()+"`").WithOrigin("pattern"))
}
