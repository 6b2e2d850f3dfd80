// Package convert is what generated conversions between API versions need at
// run time: errors that say where in the object they happened.
package convert

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Error is the failure to convert one value.
type Error struct {
	// Path is the place of the value in the object that was converted, in that
	// object's version: spec.items[2].size.
	Path string
	// Err is what the conversion function returned.
	Err error
}

// Error returns the path and the message.
func (e *Error) Error() string { return e.Path + ": " + e.Err.Error() }

// Unwrap returns what the conversion function returned.
func (e *Error) Unwrap() error { return e.Err }

// At says that err happened at a path, which is put before the path that err
// has already. A nil error stays nil.
func At(path *field.Path, err error) error {
	if err == nil || path == nil {
		return err
	}
	at := path.String()
	inner, ok := err.(*Error) //nolint:errorlint // a message that someone wrapped around it must stay
	if !ok {
		return &Error{Path: at, Err: err}
	}
	if !strings.HasPrefix(inner.Path, "[") {
		at += "."
	}
	return &Error{Path: at + inner.Path, Err: inner.Err}
}
