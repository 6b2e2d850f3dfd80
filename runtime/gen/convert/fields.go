package convert

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// structField is a field of the JSON of a struct.
type structField struct {
	name  string
	typ   reflect.Type
	index []int
	// omitEmpty and omitZero are when the JSON lacks the field; quoted is its form.
	omitEmpty, omitZero, quoted bool
}

// fieldsOf returns the fields of a struct with those of embedded structs; false if names are ambiguous.
func fieldsOf(t reflect.Type) ([]structField, bool) {
	fields := appendFields(nil, t, nil)
	seen := map[string]bool{}
	for i := range fields {
		if seen[fields[i].name] {
			return nil, false
		}
		seen[fields[i].name] = true
	}
	return fields, true
}

func appendFields(fields []structField, t reflect.Type, parent []int) []structField {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		index := append(slices.Clone(parent), i)
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			fields = appendFields(fields, f.Type, index)
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Pointer:
			fields = append(fields, structField{name: "*" + f.Name, typ: f.Type, index: index}) // copied if it is nil
		case f.Anonymous && !f.IsExported() && f.Type.Kind() == reflect.Struct:
			fields = append(fields, structField{name: "*" + f.Name, typ: f.Type, index: index})
		case f.IsExported():
			if name == "" {
				name = f.Name
			}
			list := strings.Split(options, ",")
			fields = append(fields, structField{
				name: name, typ: f.Type, index: index,
				omitEmpty: slices.Contains(list, "omitempty"), omitZero: slices.Contains(list, "omitzero"), quoted: slices.Contains(list, "string"),
			})
		}
	}
	return fields
}

// isHidden reports whether the field is an embedded struct of an unexported type, with a name: its JSON has it, but package reflect
// cannot set it.
func (f *structField) isHidden() bool { return f.name[0] == '*' && f.typ.Kind() == reflect.Struct }

// isNilable reports whether the field is null, or left out, if it is zero.
func (f *structField) isNilable() bool {
	switch f.typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	}
	return false
}

type zeroer interface{ IsZero() bool }

// omits reports whether the JSON lacks the field if it has a value.
func (f *structField) omits(v reflect.Value) bool {
	if f.omitZero {
		zero, ok := v.Addr().Interface().(zeroer)
		if !ok && !v.IsZero() {
			zero, ok = v.Interface().(zeroer) // of a pointer
		}
		if v.IsZero() || ok && zero.IsZero() {
			return true
		}
	}
	if !f.omitEmpty {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// unlessSet returns the copyFunc of a field that is not copied. isAbsent means that a zero value counts as absent.
func (f *structField) unlessSet(isAbsent bool) copyFunc {
	return func(in, _ reflect.Value) bool {
		v := in.FieldByIndex(f.index)
		return f.omits(v) || isAbsent && v.IsZero()
	}
}

var ownJSON = []reflect.Type{
	reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](), reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
}

// hasOwnJSON reports whether a type has methods that write or read its JSON.
func hasOwnJSON(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return slices.ContainsFunc(ownJSON, p.Implements)
}

// isFlat reports whether all of a type is in its JSON, and nothing of it in other memory.
func isFlat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); !f.IsExported() || f.Tag.Get("json") == "-" || f.Type.Kind() != reflect.Struct && hasOwnJSON(f.Type) || !isFlat(f.Type) {
				return false
			}
		}
		return !hasOwnJSON(t)
	case reflect.Array:
		return isFlat(t.Elem())
	}
	return isText(t) || t.Kind() <= reflect.Float64
}

// isPlain reports whether nothing of a type is in other memory, apart from strings.
func isPlain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if !isPlain(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return isPlain(t.Elem())
	}
	return isText(t) || t.Kind() <= reflect.Float64 && t.Kind() != reflect.Uintptr
}
