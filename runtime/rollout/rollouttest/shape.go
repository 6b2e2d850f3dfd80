package rollouttest

import (
	"encoding"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shape describes the JSON that a Go type can be decoded from, so that fields are
// tried that no object of the corpus sets.
type shape struct {
	kind     shapeKind
	fields   []fieldShape // of an object, in order
	elem     *shape       // of a list or dict
	nullable bool         // of a list: its items may be null
	min, max int64        // of an integer
	samples  []any        // of an opaque value
}

type shapeKind uint8

const (
	opaque shapeKind = iota // has its own UnmarshalJSON; samples are values that it accepts
	object
	list
	dict
	text
	integer
	number
	boolean
)

type fieldShape struct {
	name  string
	shape *shape
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	// untouched are types that the rules of a kind do not concern.
	untouched = []reflect.Type{reflect.TypeFor[metav1.TypeMeta](), reflect.TypeFor[metav1.ObjectMeta]()}
)

// opaqueSamples are tried on every type with its own UnmarshalJSON: durations,
// times, quantities, numbers or percentages, and similar strings.
var opaqueSamples = []any{
	"", "1", "0", "-1", "1Gi", "500m", "1e3", "5m", "-5m", "0s", "1h30m", "50%", "200%",
	"2024-01-02T03:04:05Z", "2024-01-02T03:04:05.000006Z", "a", "YQ==",
	int64(0), int64(1), int64(-1), int64(100), true, false, map[string]any{}, []any{},
}

// shapeOf returns the shape of a type.
func shapeOf(t reflect.Type) *shape { return shapes{}.of(t) }

type shapes map[reflect.Type]*shape

func (known shapes) of(t reflect.Type) *shape {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if s, ok := known[t]; ok {
		return s
	}
	s := &shape{}
	known[t] = s // before its fields: types may be recursive
	pointer := reflect.PointerTo(t)
	switch {
	case slices.Contains(untouched, t):
		s.kind = opaque
	case t.Kind() != reflect.Interface && (pointer.Implements(unmarshaler) || pointer.Implements(textUnmarshaler)):
		s.samples = readable(t)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		s.samples = readable(t)
	default:
		known.plain(t, s)
	}
	return s
}

func (known shapes) plain(t reflect.Type, s *shape) {
	switch t.Kind() {
	case reflect.Struct:
		s.kind, s.fields = object, known.fields(t)
	case reflect.Slice, reflect.Array:
		s.kind, s.elem, s.nullable = list, known.of(t.Elem()), t.Elem().Kind() == reflect.Pointer
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			s.kind, s.elem = dict, known.of(t.Elem())
		}
	case reflect.String:
		s.kind = text
	case reflect.Bool:
		s.kind = boolean
	case reflect.Float32, reflect.Float64:
		s.kind = number
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.kind = integer
		s.max = math.MaxInt64 >> (64 - t.Bits())
		s.min = -s.max - 1
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.kind = integer
		s.max = int64(min(math.MaxUint64>>(64-t.Bits()), uint64(math.MaxInt64)))
	}
}

func (known shapes) fields(t reflect.Type) []fieldShape {
	var fields []fieldShape
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous || slices.Contains(untouched, f.Type):
		case name == "" && f.Anonymous:
			fields = append(fields, known.of(f.Type).fields...)
		case name == "":
			fields = append(fields, fieldShape{f.Name, known.of(f.Type)})
		default:
			fields = append(fields, fieldShape{name, known.of(f.Type)})
		}
	}
	return fields
}

// readable returns the samples that can be decoded into a type.
func readable(t reflect.Type) []any {
	var samples []any
	for _, sample := range opaqueSamples {
		data, err := json.Marshal(sample)
		if err == nil && json.Unmarshal(data, reflect.New(t).Interface()) == nil {
			samples = append(samples, sample)
		}
	}
	return samples
}
