package jsonconvert

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// FuncOf returns the Func of a function that converts one value.
func FuncOf[In, Out any](f func(In) Out) Func {
	return FailingFuncOf(func(in In) (Out, error) { return f(in), nil })
}

// FailingFuncOf is FuncOf for a function that returns an error.
func FailingFuncOf[In, Out any](f func(In) (Out, error)) Func {
	return func(value []byte) ([]byte, error) {
		in, ok := decodeScalar[In](value)
		if !ok {
			decoded := new(In)
			if err := decode(value, decoded); err != nil {
				return nil, &Error{Reason: Invalid, Err: err}
			}
			in = *decoded
		}
		out, err := f(in)
		if err != nil {
			return nil, err
		}
		if text, ok := encodeScalar(value[len(value):], out); ok {
			return text, nil
		}
		encoded := out
		return encode(&encoded)
	}
}

// WholeOf returns the Func of a function that converts values of a declared type as a whole, such as a hand-written
// Convert_v1beta1_Window_To_v1_Window. The result has the kind of the object.
func WholeOf[In, Out any](f func(in *In, out *Out, s conversion.Scope) error) Func {
	return func(value []byte) ([]byte, error) {
		in, out := new(In), new(Out)
		if err := decode(value, in); err != nil {
			return nil, &Error{Reason: Invalid, Err: err}
		}
		if err := f(in, out, nil); err != nil {
			return nil, err
		}
		from, isObject := any(in).(typed)
		if to, ok := any(out).(typed); ok && isObject {
			to.GetObjectKind().SetGroupVersionKind(from.GetObjectKind().GroupVersionKind())
		}
		return encode(out)
	}
}

// typed is an object of the API.
type typed interface{ GetObjectKind() schema.ObjectKind }

// DefaultOf returns the Func of a function that returns a default.
func DefaultOf[T any](f func() T) Func {
	return FailingDefaultOf(func() (T, error) { return f(), nil })
}

// FailingDefaultOf is DefaultOf for a function that returns an error.
func FailingDefaultOf[T any](f func() (T, error)) Func {
	return func([]byte) ([]byte, error) {
		out, err := f()
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}
}

// HookOf returns the Func of a function that is called after the conversion of an object.
func HookOf[From, To any](f func(in *From, out *To)) Func {
	return FailingHookOf(func(in *From, out *To) error { f(in, out); return nil })
}

// FailingHookOf is HookOf for a function that returns an error.
func FailingHookOf[From, To any](f func(in *From, out *To) error) Func {
	return func(value []byte) ([]byte, error) {
		var objects []json.RawMessage
		if err := utiljson.Unmarshal(value, &objects); err != nil || len(objects) != 2 {
			return nil, &Error{Reason: Invalid, Err: err}
		}
		var in From
		var out To
		for i, o := range []any{&in, &out} {
			if err := utiljson.Unmarshal(objects[i], o); err != nil {
				return nil, &Error{Reason: Invalid, Err: err}
			}
		}
		before, err := json.Marshal(&out)
		if err != nil {
			return nil, err
		}
		if err := f(&in, &out); err != nil {
			return nil, err
		}
		after, err := json.Marshal(&out)
		if err != nil {
			return nil, err
		}
		pair := append(append(append([]byte{'['}, before...), ','), after...)
		return append(pair, ']'), nil
	}
}
