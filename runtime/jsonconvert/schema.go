package jsonconvert

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Schema is what the JSON of a type is. A value that does not fit is no value of the type.
type Schema struct {
	// Ref is the name of a type of the version, in place of everything else.
	Ref  string     `json:"ref,omitempty"`
	Kind SchemaKind `json:"kind,omitempty"`
	// Bits and Unsigned are the size of an integer.
	Bits     int  `json:"bits,omitempty"`
	Unsigned bool `json:"unsigned,omitempty"`
	// Elem is the type of the items of a list and of the values of a map. Fields are those of an object; other keys are
	// unknown fields.
	Elem   *Schema            `json:"elem,omitempty"`
	Fields map[string]*Schema `json:"fields,omitempty"`
	// Known is the name of a type with its own JSON: quantity, duration, time, microTime or intOrString.
	Known string `json:"known,omitempty"`
	// Pointer means that the Go type of a field tells the zero value from an absent one.
	Pointer bool `json:"pointer,omitempty"`
	// Filled means that a version has a default for a field of an object, so that an empty one is not absent.
	Filled bool `json:"filled,omitempty"`

	// decode reports what does not fit of a type with its own JSON.
	decode func([]byte) error
}

// SchemaKind is a type in JSON.
type SchemaKind string

// The kinds. A Schema without one has any value.
const (
	AnyKind     SchemaKind = ""
	StringKind  SchemaKind = "string"
	BytesKind   SchemaKind = "bytes"
	BoolKind    SchemaKind = "bool"
	IntegerKind SchemaKind = "integer"
	NumberKind  SchemaKind = "number"
	ListKind    SchemaKind = "list"
	MapKind     SchemaKind = "map"
	ObjectKind  SchemaKind = "object"
)

// kind returns the type of a kind; nil if it is not known.
func (v *Version) kind(name string) *Schema {
	if s, ok := v.Kinds[name]; ok {
		return &s
	}
	return nil
}

// has reports whether the version has a kind. One without types has all.
func (v *Version) has(kind string) bool {
	_, ok := v.Kinds[kind]
	return ok || v.Kinds == nil
}

// resolve returns the schema that a reference refers to.
func (v *Version) resolve(s *Schema) *Schema {
	for range maxDepth {
		if s == nil || s.Ref == "" {
			return s
		}
		s = v.Types[s.Ref]
	}
	return nil
}

// member returns the type of a member; nil for any.
func (s *Schema) member(key string) *Schema {
	switch {
	case s == nil:
		return nil
	case s.Kind == MapKind:
		return s.Elem
	}
	return s.Fields[key]
}

// field returns the type of a field; nil for the members of a map, which are no less present if they are zero.
func (s *Schema) field(key string) *Schema {
	if s == nil || s.Kind == MapKind {
		return nil
	}
	return s.Fields[key]
}

// item returns the type of the items of a list; nil for any.
func (s *Schema) item() *Schema {
	if s == nil {
		return nil
	}
	return s.Elem
}

// fit returns a value without nulls that stand for absent fields of types which refuse null; false if Go does not decode it into
// the type.
func (v *Version) fit(m *memory, s *Schema, n *node) (*node, bool) {
	isPointer := s != nil && s.Pointer
	s = v.resolve(s)
	switch {
	case s == nil || n.isNull() && isPointer:
		return n, true
	case s.Known != "" || s.decode != nil: // a type's own methods may refuse null
		return n, s.decodes(m.json(n))
	case n.isNull():
		return n, true
	}
	switch s.Kind {
	case ListKind, MapKind, ObjectKind:
		return v.fitGroup(m, s, n)
	}
	return n, s.hasScalar(n)
}

// fitGroup is fit for lists and objects.
func (v *Version) fitGroup(m *memory, s *Schema, n *node) (*node, bool) {
	if (s.Kind == ListKind) != (n.kind == '[') || n.kind == 's' {
		return n, false
	}
	m.look(n)
	at, names := len(m.stack), len(m.names)
	defer func() { m.stack, m.names = m.stack[:at], m.names[:names] }()
	changed := false
	for i, item := range n.items {
		below := s.Elem
		if s.Kind == ObjectKind {
			below = s.Fields[n.keys[i]]
		}
		fit, ok := v.fit(m, below, item)
		if !ok && item.isNull() && s.Kind == ObjectKind {
			changed = true
			continue
		}
		if !ok {
			return n, false
		}
		changed = changed || fit != item
		if m.stack = append(m.stack, fit); n.kind == '{' {
			m.names = append(m.names, n.keys[i])
		}
	}
	if !changed {
		return n, true
	}
	return m.build(n.kind, m.names[names:], m.stack[at:]), true
}

// hasScalar reports whether Go decodes a value into a scalar.
func (s *Schema) hasScalar(n *node) bool {
	switch s.Kind {
	case AnyKind:
		return true
	case StringKind:
		return n.isString()
	case BytesKind:
		text, ok := n.string()
		_, err := base64.StdEncoding.DecodeString(text)
		return ok && err == nil
	case BoolKind:
		return n.raw == "true" || n.raw == "false"
	}
	if n.kind != 's' || !isNumber(n.raw) {
		return false
	}
	if s.Kind == IntegerKind {
		return s.hasInteger(n.raw)
	}
	f, err := strconv.ParseFloat(n.raw, 64)
	return err == nil && (s.Bits != 32 || float64(float32(f)) == f || !isInf32(f))
}

func isInf32(f float64) bool { return f > 3.4028235e38 || f < -3.4028235e38 }

// isAbsent reports whether a value is no other than an absent one for the Go type of a field.
func (v *Version) isAbsent(m *memory, s *Schema, n *node) bool {
	if n.isNull() {
		return true
	}
	if s == nil || s.Pointer {
		return false
	}
	if s = v.resolve(s); s == nil || s.Filled {
		return false
	}
	switch {
	case s.Known == "quantity":
		return n.raw == `"0"` || n.raw == "0"
	case s.Known == "duration":
		return n.raw == `"0s"`
	case s.Kind == StringKind:
		return n.raw == `""`
	case s.Kind == BoolKind:
		return n.raw == "false"
	case s.Kind == IntegerKind || s.Kind == NumberKind:
		return n.kind == 's' && isNumber(n.raw) && isZeroNumber(n.raw)
	case s.Kind == MapKind:
		return n.kind == '{' && isEmpty(n)
	case s.Kind != ObjectKind || n.kind != '{':
		return false
	}
	m.look(n)
	for i, item := range n.items {
		if !v.isAbsent(m, s.Fields[n.keys[i]], item) {
			return false
		}
	}
	return true
}

// isSoft reports whether an empty object is no other than an absent one for the Go type of a field.
func (v *Version) isSoft(s *Schema) bool {
	if s == nil || s.Pointer {
		return false
	}
	s = v.resolve(s)
	return s != nil && !s.Filled && (s.Kind == MapKind || s.Kind == ObjectKind)
}

// same reports whether values of a type are the same, apart from what the type cannot tell from an absent value.
func (v *Version) same(m *memory, s *Schema, a, b *node) bool {
	if a == b || m.same(a, b, false) {
		return true
	}
	if a == nil || b == nil || a.kind != b.kind || a.kind == 's' {
		return a.isNull() && b.isNull()
	}
	m.look(a)
	m.look(b)
	if s = v.resolve(s); s == nil {
		return false
	}
	if a.kind == '[' {
		if len(a.items) != len(b.items) {
			return false
		}
		for i := range a.items {
			if !v.same(m, s.Elem, a.items[i], b.items[i]) {
				return false
			}
		}
		return true
	}
	for i, key := range a.keys {
		if !v.sameMember(m, s, key, a.items[i], m.get(b, key)) {
			return false
		}
	}
	for i, key := range b.keys {
		if m.has(a, key) < 0 && !v.sameMember(m, s, key, nil, b.items[i]) {
			return false
		}
	}
	return true
}

func (v *Version) sameMember(m *memory, s *Schema, key string, a, b *node) bool {
	if a == nil || b == nil {
		return v.isAbsent(m, s.field(key), a) && v.isAbsent(m, s.field(key), b)
	}
	return v.same(m, s.member(key), a, b) || v.isAbsent(m, s.field(key), a) && v.isAbsent(m, s.field(key), b)
}

func (s *Schema) hasInteger(text string) bool {
	bits := s.Bits
	if bits == 0 {
		bits = 64
	}
	if s.Unsigned {
		_, err := strconv.ParseUint(text, 10, bits)
		return err == nil
	}
	_, err := strconv.ParseInt(text, 10, bits)
	return err == nil
}

// knownTypes are the types with their own JSON that tables name.
var knownTypes = map[string]reflect.Type{
	"quantity":    reflect.TypeFor[resource.Quantity](),
	"duration":    reflect.TypeFor[metav1.Duration](),
	"time":        reflect.TypeFor[metav1.Time](),
	"microTime":   reflect.TypeFor[metav1.MicroTime](),
	"intOrString": reflect.TypeFor[intstr.IntOrString](),
}

func (s *Schema) decodes(text string) bool {
	if s.decode != nil {
		return s.decode([]byte(text)) == nil
	}
	t := knownTypes[s.Known]
	return t == nil || json.Unmarshal([]byte(text), reflect.New(t).Interface()) == nil
}

// SchemaOf returns the schema of a Go type. Versions have defaults for fields of the structs whose names are filled, so empty
// objects of these are not absent. The name of a generic type is that of all its instances.
func SchemaOf[T any](filled ...string) Schema {
	t := reflect.TypeFor[T]()
	b := schemaBuilder{schemas: map[reflect.Type]*Schema{}, pkg: t.PkgPath(), filled: filled}
	return *b.of(t)
}

// schemaBuilder returns schemas of Go types, one for each type: types may contain themselves.
type schemaBuilder struct {
	schemas map[reflect.Type]*Schema
	// filled are names of types of a package.
	pkg    string
	filled []string
}

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

func (b schemaBuilder) of(t reflect.Type) *Schema {
	if t.Kind() == reflect.Pointer {
		s := *b.of(t.Elem())
		s.Pointer = true
		return &s
	}
	if known := b.schemas[t]; known != nil {
		return known
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	s := &Schema{Filled: t.PkgPath() == b.pkg && slices.Contains(b.filled, name)}
	b.schemas[t] = s
	for name, known := range knownTypes {
		if t == known {
			s.Known = name
			return s
		}
	}
	if p := reflect.PointerTo(t); p.Implements(unmarshaler) || p.Implements(textUnmarshaler) {
		s.decode = func(text []byte) error { return json.Unmarshal(text, reflect.New(t).Interface()) }
		return s
	}
	switch t.Kind() {
	case reflect.String:
		s.Kind = StringKind
	case reflect.Bool:
		s.Kind = BoolKind
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		s.Kind, s.Bits = IntegerKind, t.Bits()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		s.Kind, s.Bits, s.Unsigned = IntegerKind, t.Bits(), true
	case reflect.Float32, reflect.Float64:
		s.Kind, s.Bits = NumberKind, t.Bits()
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			s.Kind = BytesKind
			break
		}
		s.Kind, s.Elem = ListKind, b.of(t.Elem())
	case reflect.Map:
		s.Kind, s.Elem = MapKind, b.of(t.Elem())
	case reflect.Struct:
		s.Kind, s.Fields = ObjectKind, map[string]*Schema{}
		b.fields(s, t)
	}
	return s
}

// fields adds the fields of a struct, and those of embedded structs.
func (b schemaBuilder) fields(s *Schema, t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case name == "" && f.Anonymous && of.Kind() == reflect.Struct || strings.Contains(options, "inline"):
			if of != t {
				b.fields(s, of)
			}
		default:
			if name == "" {
				name = f.Name
			}
			s.Fields[name] = b.of(f.Type)
		}
	}
}
