// Package convert has the functions that generated conversions between API
// versions call. Only generated code uses it; its errors are those of the public
// package runtime/convert.
//
// [Conversions] has the functions of a package. [Register] adds them to a scheme, [Of] names one. An error is a
// convert.Error with the path of the value.
package convert

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// At returns err with path prepended to its path. A nil error stays nil.
func At(path *field.Path, err error) error {
	if err == nil || path == nil {
		return err
	}
	at := path.String()
	inner, ok := err.(*convert.Error) //nolint:errorlint // keep messages that wrap the error
	if !ok {
		return &convert.Error{Path: at, Err: err}
	}
	if inner.Path != "" && !strings.HasPrefix(inner.Path, "[") {
		at += "."
	}
	return &convert.Error{Path: at + inner.Path, Err: inner.Err}
}
