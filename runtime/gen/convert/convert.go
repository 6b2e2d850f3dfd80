// Package convert holds what generated conversions between API versions call.
// Only generated code uses it; the errors that it makes are those of the package
// runtime/convert, which is for everybody.
package convert

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kindsmith/kindsmith/runtime/convert"
)

// At returns err with path put before the path that it has. A nil error stays nil.
func At(path *field.Path, err error) error {
	if err == nil || path == nil {
		return err
	}
	at := path.String()
	inner, ok := err.(*convert.Error) //nolint:errorlint // a message that someone wrapped around it must stay
	if !ok {
		return &convert.Error{Path: at, Err: err}
	}
	if !strings.HasPrefix(inner.Path, "[") {
		at += "."
	}
	return &convert.Error{Path: at + inner.Path, Err: inner.Err}
}
