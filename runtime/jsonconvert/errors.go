package jsonconvert

import "errors"

// Reason says whose mistake an error is.
type Reason int

const (
	// Invalid means that the object cannot be converted as it is.
	Invalid Reason = iota
	// Failed means that a conversion function failed.
	Failed
	// Broken means that the conversion itself is at fault: it panicked, or lost a value without having noticed.
	Broken
)

// Error is a conversion that failed.
type Error struct {
	Reason Reason
	// Path is the value's path in the object, such as $.spec.ports[2].name, in the version in which it could not be
	// converted.
	Path string
	Err  error
}

func (e *Error) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return e.Path + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// errorOf returns the error of a function.
func errorOf(err error) error {
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	return &Error{Reason: Failed, Err: err}
}

// below returns an error with a step before its path.
func below(step string, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Path: step, Err: err}
	}
	return &Error{Reason: e.Reason, Path: step + e.Path, Err: e.Err}
}
