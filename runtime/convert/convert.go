// Package convert has the types that generated conversions of Go objects share with your code.
//
// Generated functions, Convert_v1beta1_Order_To_v1_Order, return an [*Error] with the path of a value:
//
//	if failed := new(convert.Error); errors.As(err, &failed) {
//		log.Print(failed.Path)
//	}
//
// [ChangedValues] is the type of a status field for values that other versions of the object have. Package jsonconvert reads and
// writes these values. Package roundtrip, below this one, tests conversions.
package convert

// Error reports that a value cannot be converted. Generated conversions return it
// for every failure; use errors.As to find it.
type Error struct {
	// Path is the path of the value in the object, in the version in which it could not be converted:
	// spec.items[2].size. It is "" for the object itself.
	Path string
	// Err is the error of the conversion function.
	Err error
}

// Error returns the path and the message.
func (e *Error) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return e.Path + ": " + e.Err.Error()
}

// Unwrap returns the error of the conversion function.
func (e *Error) Unwrap() error { return e.Err }
