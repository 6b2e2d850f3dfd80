package wire

import (
	"encoding/json"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime/schema"
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
		v := new(struct {
			in  From
			out To
		})
		if err := decode(value, &v.in); err != nil {
			return nil, &Error{Reason: Invalid, Err: err}
		}
		if err := convert(&v.in, &v.out); err != nil {
			return nil, err
		}
		return encode(&v.out)
	}
}

// Fits returns a Func that refuses values that are not of a type.
func Fits[T any]() Func {
	return func(value []byte) ([]byte, error) {
		var out T
		return value, decode(value, &out)
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

// Tracking tracks the values of Go objects that their versions cannot represent.
type Tracking struct {
	once      sync.Once
	converter *Converter
	err       error
}

// Upgrade completes the conversion of an object to the hub, whose error is err: it restores
// the values that are tracked for in, and stores those that in has and out has not. Restored
// values may replace those that the conversion fails with.
func Upgrade[From, To any](t *Tracking, conversion func() Conversion, kind string, in *From, out *To, err error) error {
	return complete(t, conversion, kind, in, out, true, err)
}

// Downgrade is like Upgrade, for the conversion of a hub to the older version.
func Downgrade[From, To any](t *Tracking, conversion func() Conversion, kind string, in *From, out *To, err error) error {
	return complete(t, conversion, kind, in, out, false, err)
}

func complete[From, To any](t *Tracking, conversion func() Conversion, kind string, in *From, out *To, up bool, failed error) error {
	t.once.Do(func() { t.converter, t.err = New(conversion()) })
	if t.err != nil {
		return t.err
	}
	object, err := json.Marshal(in)
	if err != nil {
		return err
	}
	route := t.converter.routes[t.converter.versions[0]]
	i, ok := route.kinds[kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", kind)
	}
	b := newBuffer()
	defer b.release()
	converted, _, tracked, err := t.converter.along(route, nil, object, i, up, encoded[To], b)
	switch {
	case failed != nil && (err != nil || !tracked):
		return failed
	case err != nil || !tracked:
		return err
	}
	restored := new(To)
	if err := utiljson.Unmarshal(converted, restored); err != nil {
		return err
	}
	if to, ok := any(restored).(typed); ok {
		to.GetObjectKind().SetGroupVersionKind(any(out).(typed).GetObjectKind().GroupVersionKind())
	}
	*out = *restored
	return nil
}

// IsEmptied reports whether a struct is empty, or what an empty one of the other version becomes.
func IsEmptied[From, To any](out *To, convert func(*From, *To, conversion.Scope) error, s conversion.Scope) bool {
	if equality.Semantic.DeepEqual(out, new(To)) {
		return true
	}
	empty := new(To)
	return convert(new(From), empty, s) == nil && equality.Semantic.DeepEqual(out, empty)
}

// encoded returns an object as Go encodes it.
func encoded[T any](object []byte) ([]byte, error) {
	out := new(T)
	if err := utiljson.Unmarshal(object, out); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// typed has a TypeMeta, which a scheme sets, or whoever converts objects.
type typed interface{ GetObjectKind() schema.ObjectKind }
