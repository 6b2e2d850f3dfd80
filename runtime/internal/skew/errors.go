package skew

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The types of errors that field has since v0.36. Before, they are field.ErrorTypeInvalid,
// because an error of an unknown type cannot be printed.
var (
	TooFew   = Known("FieldValueTooFew")
	TooShort = Known("FieldValueTooShort")
)

// Known returns the type that errors of the type t have.
func Known(t field.ErrorType) field.ErrorType {
	if strings.HasPrefix(t.String(), "<unknown error") {
		return field.ErrorTypeInvalid
	}
	return t
}
