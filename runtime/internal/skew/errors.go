package skew

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// The types of errors that field has since v0.36. Before, they are field.ErrorTypeInvalid,
// because an error of an unknown type cannot be printed.
var (
	TooFew   = known("FieldValueTooFew")
	TooShort = known("FieldValueTooShort")
)

func known(t field.ErrorType) field.ErrorType {
	if strings.HasPrefix(t.String(), "<unknown error") {
		return field.ErrorTypeInvalid
	}
	return t
}
