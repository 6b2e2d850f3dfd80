package wire

import (
	"encoding/json"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Conversion is a table with the functions that it names.
type Conversion struct {
	Table *Table
	Funcs map[string]Func
}

// Typed returns a Func that decodes a value, converts it, and encodes the result.
func Typed[From, To any](convert func(in *From, out *To) error) Func {
	return func(value []byte) ([]byte, error) {
		var in From
		var out To
		if err := utiljson.Unmarshal(value, &in); err != nil {
			return nil, &Error{Reason: Invalid, Err: err}
		}
		if err := convert(&in, &out); err != nil {
			return nil, err
		}
		return json.Marshal(&out)
	}
}

// Fits returns a Func that refuses values that are not of a type.
func Fits[T any]() Func {
	return func(value []byte) ([]byte, error) {
		var out T
		return value, utiljson.Unmarshal(value, &out)
	}
}

// Filled returns a Func that encodes a value that a function makes.
func Filled[T any](fill func(out *T) error) Func {
	return func([]byte) ([]byte, error) {
		var out T
		if err := fill(&out); err != nil {
			return nil, err
		}
		return json.Marshal(&out)
	}
}
