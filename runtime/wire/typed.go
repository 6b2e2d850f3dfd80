package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// Fits returns a Func that refuses values that are not of a type. It returns what Go writes for a value.
func Fits[T any]() Func {
	return func(value []byte) ([]byte, error) {
		if scalarOf[T](value) {
			return value, nil
		}
		var out T
		if err := decode(value, &out); err != nil {
			return nil, err
		}
		return encode(&out)
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
	// Hub is the import path of the newest version's package, and Older the name of the older version.
	Hub, Older string
}

// versions are the conversions of an API's older versions that a program has.
type versions struct {
	mutex       sync.Mutex
	conversions []func() Conversion
	// converter is nil before it is needed.
	converter *Converter
}

// registered are the versions by the import path of the newest version's package.
var registered sync.Map

// Register adds the conversion of an older version to those that conversions of Go objects know. Its hub is in
// the package with an import path. A version may have tracked values of another.
func Register(hub string, conversion func() Conversion) {
	found, _ := registered.LoadOrStore(hub, &versions{})
	v := found.(*versions)
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.conversions, v.converter = append(v.conversions, conversion), nil
}

// get returns the converter of all versions so far.
func (v *versions) get() (*Converter, error) {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	if v.converter != nil {
		return v.converter, nil
	}
	conversions := make([]Conversion, len(v.conversions))
	for i, conversion := range v.conversions {
		conversions[i] = conversion()
	}
	var err error
	v.converter, err = New(conversions...)
	return v.converter, err
}

// route returns the conversion between the older version and the hub.
func (t Tracking) route() (*Converter, *route, error) {
	if found, ok := registered.Load(t.Hub); ok {
		c, err := found.(*versions).get()
		if err != nil {
			return nil, nil, err
		}
		if r := c.routes[t.Older]; r != nil {
			return c, r, nil
		}
	}
	return nil, nil, fmt.Errorf("no conversion between %s and %s is registered", t.Older, t.Hub)
}

// Upgrade completes the conversion of an object to the hub, whose error is err: it restores
// the values that are tracked for in, and stores those that in has and out has not. Restored
// values may replace those that the conversion fails with.
func Upgrade[From, To any](t Tracking, kind string, in *From, out *To, err error) error {
	return complete(t, kind, in, out, true, err)
}

// Downgrade is like Upgrade, for the conversion of a hub to the older version.
func Downgrade[From, To any](t Tracking, kind string, in *From, out *To, err error) error {
	return complete(t, kind, in, out, false, err)
}

func complete[From, To any](t Tracking, kind string, in *From, out *To, up bool, failed error) error {
	converter, route, err := t.route()
	if err != nil {
		return err
	}
	object, err := json.Marshal(in)
	if err != nil {
		return err
	}
	i, ok := route.kinds[kind]
	if !ok {
		return fmt.Errorf("unknown kind %q", kind)
	}
	from := t.Older
	if !up {
		from = converter.hub
	}
	object, restored := converter.imported(object, []byte(kind), from)
	b := newBuffer()
	defer b.release()
	if route.up[i].root.object.store == Status {
		if object, err = withoutPadding[From](object); err != nil {
			return err
		}
	}
	converted, _, tracked, err := converter.along(route, nil, object, i, up, encoded[To], b)
	tracked = tracked || restored
	switch {
	case failed != nil && (err != nil || !tracked):
		return failed
	case err != nil || !tracked:
		return err
	}
	complete := new(To)
	if err := utiljson.Unmarshal(converted, complete); err != nil {
		return err
	}
	if to, ok := any(complete).(typed); ok {
		to.GetObjectKind().SetGroupVersionKind(any(out).(typed).GetObjectKind().GroupVersionKind())
	}
	if failed == nil {
		keepMetadata(complete, out)
	}
	*out = *complete
	return nil
}

// keepMetadata replaces the metadata of an object that was decoded with that of the converted one, which has what JSON
// cannot represent. Only labels and annotations change in a conversion.
func keepMetadata[T any](decoded, converted *T) {
	to, ok := any(decoded).(metav1.ObjectMetaAccessor)
	if !ok {
		return
	}
	from, isMeta := any(converted).(metav1.ObjectMetaAccessor).GetObjectMeta().(*metav1.ObjectMeta)
	if at, ok := to.GetObjectMeta().(*metav1.ObjectMeta); ok && isMeta {
		labels, annotations := at.Labels, at.Annotations
		*at = *from
		at.Labels, at.Annotations = labels, annotations
	}
}

// HasOnly reports whether Go writes nothing of a struct but zero values, the fields at paths, which move out of it, and structs
// that are left out with these.
func HasOnly[T any](in *T, paths ...string) bool { return hasOnlyAt(reflect.ValueOf(in).Elem(), paths) }

// HasAny reports whether a struct has one of the fields at paths.
func HasAny[T any](in *T, paths ...string) bool { return hasAnyAt(reflect.ValueOf(in).Elem(), paths) }

func hasAnyAt(v reflect.Value, paths []string) bool {
	return slices.ContainsFunc(paths, func(path string) bool {
		name, rest, below := strings.Cut(path, ".")
		f, _ := v.Type().FieldByName(name)
		at := v.FieldByName(name)
		if !below {
			return !isUnset(at, f.Tag.Get("json"))
		}
		at = reflect.Indirect(at)
		return at.IsValid() && hasAnyAt(at, []string{rest})
	})
}

func hasOnlyAt(v reflect.Value, paths []string) bool {
	for i := range v.NumField() {
		field, below := v.Type().Field(i), v.Field(i)
		var inner []string
		for _, path := range paths {
			if name, rest, _ := strings.Cut(path, "."); name == field.Name {
				inner = append(inner, rest)
			}
		}
		if slices.Contains(inner, "") {
			continue
		}
		if at := reflect.Indirect(below); len(inner) > 0 && at.IsValid() && hasAnyAt(at, inner) && hasOnlyAt(at, inner) {
			continue
		}
		if (field.IsExported() || field.Anonymous) && !isUnset(below, field.Tag.Get("json")) {
			return false
		}
	}
	return true
}

// isUnset reports whether Go writes the value of a field with a tag like a zero one.
func isUnset(v reflect.Value, tag string) bool {
	if (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && strings.Contains(tag, ",omitempty") {
		return v.Len() == 0
	}
	if v.Kind() != reflect.Struct {
		return v.IsZero()
	}
	if v.CanInterface() { // no embedded struct of an unexported type
		switch known := v.Addr().Interface().(type) {
		case interface{ IsZero() bool }:
			return known.IsZero()
		case json.Marshaler:
			return v.IsZero()
		}
	}
	return hasOnlyAt(v, nil)
}

// encoded returns an object as Go encodes it.
func encoded[T any](object []byte) ([]byte, error) {
	out := new(T)
	if err := utiljson.Unmarshal(object, out); err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

// withoutPadding returns an object without the zero values that Go writes beside the tracked values in a status that
// tracking made.
func withoutPadding[T any](object []byte) ([]byte, error) {
	n := newNode(object, 0)
	status := n.get("status")
	values := status.get("changedValues")
	if made, _ := madeByTracking(values); values == nil || !made || status.only("changedValues") {
		return object, nil
	}
	zero, err := encoded[T]([]byte(`{"status":{"changedValues":{}}}`))
	if err != nil {
		return nil, err
	}
	padding := newNode(zero, 0).get("status")
	padding.set("changedValues", values)
	if !same(status.text, padding.json()) {
		return object, nil
	}
	made := newObject()
	made.set("changedValues", values)
	n.set("status", made)
	return n.json(), nil
}

// typed has a TypeMeta, which a scheme sets, or whoever converts objects.
type typed interface{ GetObjectKind() schema.ObjectKind }
