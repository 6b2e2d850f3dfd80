// Package convert has the error that generated conversions between API versions
// return.
package convert

// Error is the failure to convert one value. Generated conversions return it for
// every failure; errors.As finds it.
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
