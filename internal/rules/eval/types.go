package eval

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
	jsonvalue "github.com/kindsmith/kindsmith/internal/core/value"
)

// form is the kind of a Go type for JSON and rules.
type form uint8

const (
	// foreignForm is a value that is stored as JSON: an interface, a type with custom JSON, or a
	// type that the model does not have.
	foreignForm form = iota
	// knownForm is a type with custom JSON that the evaluator knows.
	knownForm
	stringForm
	boolForm
	intForm
	uintForm
	floatForm
	bytesForm
	pointerForm
	listForm
	arrayForm
	mapForm
	structForm
)

// goType is a Go type, prepared for decoding.
type goType struct {
	ref  *model.Ref
	form form
	// declared is set on a declared type that is not an alias of an undeclared one.
	declared bool
	// custom is set on a type with custom JSON that only Go can decode.
	custom bool
	// underlying is the underlying type.
	underlying *model.Ref
	// known is the JSON of a knownForm.
	known *known
	// bits is the width of a number, size the length of an array.
	bits int
	size int
	// elem is the type behind a pointer, or of items and map values.
	elem, key *goType
	// fields are a struct's, in order of declaration, and names their places by Go name.
	fields []*goField
	names  map[string]int
	// object is the JSON object of a struct, wire are its keys; see keys.
	object *model.Object
	wire   []wireKey

	zeroValue *value
}

// goField is a field of a struct.
type goField struct {
	*model.Field
	typ *goType
	// inlined is set if the fields of the field's struct are keys of the parent.
	inlined bool
	// quoted is set if the field's JSON is in a string.
	quoted bool
}

// isDeclared reports whether a type is a declared one. An alias is the type that it names.
func (s *Set) isDeclared(r *model.Ref) bool {
	if r.Kind != model.KindNamed {
		return false
	}
	t := s.model.Type(TypeName{Package: r.Package, Name: r.Name})
	return t == nil || !t.Alias || s.isDeclared(t.Def)
}

// typeOf returns the Go type of a reference.
func (s *Set) typeOf(r *model.Ref) *goType {
	name := r.String()
	if t, ok := s.types[name]; ok {
		return t
	}
	t := &goType{ref: r, declared: s.isDeclared(r), underlying: s.model.Underlying(r)}
	s.types[name] = t
	s.describe(t)
	return t
}

// describe fills in a type. The types that it uses may be incomplete.
func (s *Set) describe(t *goType) {
	if k, ok := knownTypes[t.ref.ID()]; ok {
		t.form, t.known = knownForm, k
		return
	}
	if len(t.ref.Args) > 0 {
		return
	}
	if jsonvalue.HasOwnJSON(s.model, t.ref) {
		t.custom = true
		return
	}
	switch u := t.underlying; {
	case u.IsString():
		t.form = stringForm
	case u.IsBool():
		t.form = boolForm
	case u.IsInteger():
		lo, hi, _ := u.IntRange()
		t.form, t.bits = intForm, intBits(hi, lo == "0")
		if lo == "0" {
			t.form = uintForm
		}
	case u.IsFloat():
		t.form, t.bits = floatForm, 64
		if u.Name == "float32" {
			t.bits = 32
		}
	case u.IsBytes():
		t.form = bytesForm
	case u.Kind == model.KindPointer:
		t.form, t.elem = pointerForm, s.typeOf(u.Elem)
	case u.Kind == model.KindSlice:
		t.form, t.elem = listForm, s.typeOf(u.Elem)
	case u.Kind == model.KindArray:
		t.form, t.elem, t.size = arrayForm, s.typeOf(u.Elem), int(u.Len)
	case u.Kind == model.KindMap:
		t.form, t.elem, t.key = mapForm, s.typeOf(u.Elem), s.typeOf(u.Key)
	case u.Kind == model.KindStruct:
		s.describeStruct(t)
	}
}

// intBits returns the width of an integer type with the given largest value.
func intBits(hi string, unsigned bool) int {
	n, _ := strconv.ParseUint(hi, 10, 64)
	bits := 0
	for ; n > 0; n >>= 1 {
		bits++
	}
	if !unsigned {
		bits++
	}
	return bits
}

func (s *Set) describeStruct(t *goType) {
	decl := s.model.Instance(t.ref)
	if decl == nil || decl.Generic {
		if t.underlying.Name == model.AnonymousStruct || decl != nil {
			return // whose fields the model does not have
		}
	}
	t.form, t.names = structForm, map[string]int{}
	if decl == nil {
		return
	}
	t.object = s.model.Object(decl)
	for _, f := range decl.Fields {
		if f.Skipped {
			continue
		}
		t.names[f.Name] = len(t.fields)
		t.fields = append(t.fields, &goField{Field: f})
	}
	for _, f := range t.fields {
		f.typ = s.typeOf(f.Type)
		elem, _ := s.model.Deref(f.Type)
		f.inlined = s.model.Inlined(f.Field) != nil
		f.quoted = f.HasOption("string") && s.model.Underlying(elem).IsScalar()
	}
}

// wireKey is a key of a struct's JSON object, with the path to its field through inlined structs.
type wireKey struct {
	name string
	way  []int
	// keepsEmpty is set if rules see an empty list or map, although omitempty omits it.
	keepsEmpty bool
}

// keys returns the keys of a struct's JSON object.
func (t *goType) keys() []wireKey {
	if t.wire != nil || t.object == nil {
		return t.wire
	}
	for _, member := range t.object.Members {
		if way, ok := t.wayOf(member.Path); ok {
			t.wire = append(t.wire, wireKey{member.Name, way, member.Absent == model.LackNil})
		}
	}
	return t.wire
}

// wayOf returns the places of the fields on a path; not ok if the evaluator does not know an inlined struct.
func (t *goType) wayOf(path []string) (way []int, ok bool) {
	for _, step := range path {
		i, ok := t.pointee().names[step]
		if !ok {
			return nil, false
		}
		way, t = append(way, i), t.pointee().fields[i].typ
	}
	return way, true
}

// keyNames returns the sorted names of keys.
func (t *goType) keyNames() []string {
	var names []string
	for _, k := range t.keys() {
		names = append(names, k.name)
	}
	slices.Sort(names)
	return names
}

// pointee returns the type with a pointer stripped.
func (t *goType) pointee() *goType {
	if t.form == pointerForm {
		return t.elem
	}
	return t
}

// words describes the JSON values of the type.
func (t *goType) words() string {
	switch t.form {
	case stringForm:
		return "a string"
	case boolForm:
		return "true or false"
	case intForm, uintForm:
		lo, hi, _ := t.underlying.IntRange()
		return "an integer from " + lo + " to " + hi
	case floatForm:
		return "a number"
	case bytesForm:
		return "a string of base64"
	case listForm, arrayForm:
		return "a list"
	case mapForm, structForm:
		return "an object"
	case knownForm:
		return t.known.words
	}
	return "a value"
}
