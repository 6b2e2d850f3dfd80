package roundtrip

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/runtime/convert"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// shape is what is known of the values of a Go type in a version.
type shape struct {
	form form
	typ  reflect.Type
	// zero is the JSON of the zero value of a scalar, an array or a type with its own JSON.
	zero string
	// fields are those of a struct in JSON, with those of inlined structs.
	fields []*field
	byKey  map[string]*field
	// key and elem are those of a map or a list. The elem of a struct with its own JSON has its fields: the JSON may have these.
	key, elem *shape
	// filled means that a version has a default for a field of the struct, so an empty one is not absent.
	filled bool
	// refusesNull means that the methods of a type with its own JSON cannot read null.
	refusesNull bool
	// values are the constants of an enum, which has no others if it is closed.
	values []string
	closed bool
}

// form says what the JSON of a type is.
type form byte

const (
	scalarForm form = iota
	structForm
	mapForm
	listForm
	// bytesForm is a []byte.
	bytesForm
	// ownForm is a type with JSON of its methods.
	ownForm
	// anyForm is an interface.
	anyForm
)

// field is a field of a struct.
type field struct {
	*shape
	key string
	// pointer means that the field tells its zero value from an absent one.
	pointer bool
	// keys identify the items of a list, which is a set if unique is set. They are known where conversions need them.
	keys   []string
	unique bool
}

func (s *shape) field(key string) *field {
	if s == nil {
		return nil
	}
	return s.byKey[key]
}

// at returns the shape of a member of an object; nil for any.
func (s *shape) at(key string) *shape {
	switch {
	case s == nil:
		return nil
	case s.form == mapForm:
		return s.elem
	case s.byKey[key] != nil:
		return s.byKey[key].shape
	}
	return nil
}

// item returns the shape of the items of a list; nil for any.
func (s *shape) item() *shape {
	if s == nil || s.form != listForm {
		return nil
	}
	return s.elem
}

// shapeOf returns the shape of a version of a kind.
func (api *API) shapeOf(kind string, v *version) *shape {
	b := &shaper{api: api, version: v, shapes: map[rule]*shape{}}
	schemas := api.JSON.Versions[v.age]
	known := schemas.Kinds[kind]
	of := rule{typ: v.typ, schema: &known}
	if v.age < len(api.JSON.Steps) {
		of.sides[0] = &jsonconvert.Value{Type: kind}
	}
	if v.age > 0 {
		of.sides[1] = &jsonconvert.Value{Type: kind}
	}
	return b.of(of)
}

// shaper makes shapes. Types may contain themselves.
type shaper struct {
	api     *API
	version *version
	shapes  map[rule]*shape
}

// rule is a type, and its values in the tables: sides[0] is the step to the next version, and sides[1] the step to the previous
// version.
type rule struct {
	typ    reflect.Type
	schema *jsonconvert.Schema
	sides  [2]*jsonconvert.Value
}

// step returns the step on a side of the version.
func (b *shaper) step(side int) *jsonconvert.Step { return &b.api.JSON.Steps[b.version.age-side] }

// fieldsOf returns the rules of a type's fields on a side.
func (b *shaper) fieldsOf(of *jsonconvert.Value, side int) []jsonconvert.Field {
	if of == nil || of.Type == "" {
		return nil
	}
	if t := b.step(side).Types[of.Type]; t != nil {
		return t.Fields
	}
	return nil
}

// items returns the rule of the items of a list, or of the values of a map, on a side.
func (b *shaper) items(of *jsonconvert.Value, side int) *jsonconvert.Value {
	for of != nil && of.Type != "" {
		t := b.step(side).Types[of.Type]
		if t == nil {
			return nil
		}
		of = t.Value
	}
	switch {
	case of == nil:
		return nil
	case of.List != nil && side == 1:
		return of.List
	}
	return of.Elem
}

// of returns the shape of a type.
func (b *shaper) of(r rule) *shape {
	r.typ = indirect(r.typ)
	if known := b.shapes[r]; known != nil {
		return known
	}
	s := &shape{typ: r.typ}
	b.shapes[r] = s
	b.constants(s)
	switch k := r.typ.Kind(); {
	case ownJSON(r.typ):
		s.form, s.zero = ownForm, zeroOf(r.typ)
		s.refusesNull = json.Unmarshal([]byte("null"), reflect.New(r.typ).Interface()) != nil
		if k == reflect.Struct {
			s.elem = &shape{form: structForm, typ: reflect.TypeFor[struct{}](), byKey: map[string]*field{}}
			b.fields(s.elem, r, r.typ)
		}
	case k == reflect.Interface:
		s.form = anyForm
	case k == reflect.Struct:
		s.form, s.byKey, s.filled = structForm, map[string]*field{}, r.schema != nil && r.schema.Filled
		b.fields(s, r, r.typ)
	case k == reflect.Slice && r.typ.Elem().Kind() == reflect.Uint8:
		s.form = bytesForm
	case k == reflect.Map:
		s.form, s.key, s.elem = mapForm, b.of(rule{typ: r.typ.Key()}), b.of(b.elem(r))
	case k == reflect.Slice || k == reflect.Array:
		s.form, s.elem = listForm, b.of(b.elem(r))
		if k == reflect.Array {
			s.zero = zeroOf(r.typ)
		}
	default:
		s.zero = zeroOf(r.typ)
	}
	return s
}

// elem returns the rule of a list's items or a map's values.
func (b *shaper) elem(r rule) rule {
	out := rule{typ: r.typ.Elem()}
	if r.schema != nil {
		out.schema = r.schema.Elem
	}
	for side, of := range r.sides {
		out.sides[side] = b.items(of, side)
	}
	return out
}

// constants sets the values of an enum.
func (b *shaper) constants(s *shape) {
	if s.typ.PkgPath() != b.version.typ.PkgPath() {
		return
	}
	for _, v := range b.api.Values {
		if v.Type == s.typ.Name() && slices.Contains(v.Versions, b.version.name) {
			s.values, s.closed = v.JSON, v.Closed
		}
	}
}

// fields adds the fields of a struct, and those of inlined structs.
func (b *shaper) fields(s *shape, r rule, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		inlined := f.Anonymous && name == "" || slices.Contains(strings.Split(options, ","), "inline")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case inlined && indirect(f.Type).Kind() == reflect.Struct:
			b.fields(s, r, indirect(f.Type))
		case indirect(f.Type) == changedValues: // which conversions write
		default:
			if name == "" {
				name = f.Name
			}
			out := &field{key: name, pointer: f.Type.Kind() == reflect.Pointer}
			below := rule{typ: f.Type}
			if r.schema != nil {
				below.schema = r.schema.Fields[name]
			}
			for side := range r.sides {
				below.sides[side] = b.rule(out, r.sides[side], side)
			}
			out.shape = b.of(below)
			s.fields, s.byKey[name] = append(s.fields, out), out
		}
	}
}

// rule sets what the table of a step says of a field, and returns the rule of its value.
func (b *shaper) rule(f *field, of *jsonconvert.Value, side int) *jsonconvert.Value {
	known := b.fieldsOf(of, side)
	for i := range known {
		v := &known[i].Value
		key, keys := known[i].Older.Name, v.OlderKeys
		if side == 1 {
			key, keys = known[i].Newer.Name, v.NewerKeys
		}
		if key != f.key {
			continue
		}
		if len(keys) > 0 {
			f.keys = keys
		}
		f.unique = f.unique || v.Set
		return v
	}
	return nil
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

// zeroOf returns the JSON of the zero value of a type.
func zeroOf(t reflect.Type) string {
	text, err := json.Marshal(reflect.New(t).Interface())
	if err != nil {
		return ""
	}
	return string(text)
}

var (
	changedValues = reflect.TypeFor[convert.ChangedValues]()
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// ownJSON reports whether a type has JSON of its methods.
func ownJSON(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(jsonMarshaler) || p.Implements(textMarshaler)
}
