package validate

import (
	"fmt"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/internal/skew"
)

// A character has 1 to utf8.UTFMax bytes; an invalid UTF-8 byte counts as a
// character. Characters are counted only if the length in bytes does not decide.

// MinLength checks that value has at least n characters.
//
// Error: TooShort, origin "minLength".
func MinLength[T ~string](r *Run, at *Path, value T, n int) bool {
	return (len(value)+utf8.UTFMax-1)/utf8.UTFMax >= n || minLength(r, at, value, n)
}

// MaxLength checks that value has at most n characters.
//
// Error: TooLong without the value, origin "maxLength".
func MaxLength[T ~string](r *Run, at *Path, value T, n int) bool {
	return len(value) <= n || maxLength(r, at, value, n)
}

// MaxBytes checks that value is at most n bytes long.
//
// Error: TooLong without the value, origin "maxBytes".
func MaxBytes[T ~string](r *Run, at *Path, value T, n int) bool {
	return len(value) <= n || tooManyBytes(r, at, value, n)
}

func minLength[T ~string](r *Run, at *Path, value T, n int) bool {
	if len(value) >= n && utf8.RuneCountInString(string(value)) >= n {
		return true
	}
	return r.report(&field.Error{
		Type:     skew.TooShort,
		Field:    r.FieldPath(at).String(),
		BadValue: value,
		Detail:   fmt.Sprintf("must be at least %d %s", n, plural(n, "character")),
		Origin:   "minLength",
	})
}

func maxLength[T ~string](r *Run, at *Path, value T, n int) bool {
	if (len(value)+utf8.UTFMax-1)/utf8.UTFMax <= n && utf8.RuneCountInString(string(value)) <= n {
		return true
	}
	err := field.TooLong(r.FieldPath(at), value, n).WithOrigin("maxLength")
	if n >= 0 {
		err.Detail = fmt.Sprintf("may not be more than %d %s", n, plural(n, "character"))
	}
	return r.report(err)
}

func tooManyBytes[T ~string](r *Run, at *Path, value T, n int) bool {
	return r.report(field.TooLong(r.FieldPath(at), value, n).WithOrigin("maxBytes"))
}
