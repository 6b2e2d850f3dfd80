package eval

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// value is the value of a Go variable. Values are immutable, so that all absent fields of a type
// can share one.
type value struct {
	typ *goType
	// null is set on a nil pointer, list, map or interface.
	null bool
	// text is a string, or the bytes of a []byte.
	text string
	// bits is an integer, or a bool as 0 and 1.
	bits uint64
	// real is a floating-point number.
	real float64
	// parts has the value behind a pointer, the items of a list, or the fields of a struct.
	parts []*value
	// entries are the entries of a map.
	entries map[string]*value
	// own is a value of a known type, or the JSON value of a foreign one.
	own any
}

// zero returns the zero value of a type.
func (t *goType) zero() *value {
	if t.zeroValue != nil {
		return t.zeroValue
	}
	v := &value{typ: t}
	switch t.form {
	case pointerForm, listForm, mapForm, bytesForm, foreignForm:
		v.null = true
	case knownForm:
		v.own = t.known.zero
	case structForm:
		t.zeroValue = v
		v.parts = make([]*value, len(t.fields))
		for i, f := range t.fields {
			v.parts[i] = f.typ.zero()
		}
	case arrayForm:
		v.parts = make([]*value, t.size)
		for i := range v.parts {
			v.parts[i] = t.elem.zero()
		}
	}
	t.zeroValue = v
	return v
}

// isSet reports whether a field that holds the value counts as set.
func (v *value) isSet() bool {
	switch v.typ.form {
	case stringForm:
		return v.text != ""
	case boolForm, intForm, uintForm:
		return v.bits != 0
	case floatForm:
		return v.real != 0
	case bytesForm:
		return v.text != ""
	case pointerForm:
		return !v.null
	case listForm:
		return len(v.parts) != 0
	case mapForm:
		return len(v.entries) != 0
	case knownForm:
		return v.typ.isStruct() || !v.typ.known.unset(v.own)
	case foreignForm:
		return v.typ.underlying.Kind == model.KindStruct || !v.null
	}
	return true
}

// isSetAs reports whether a value is none of those that rules take as unset.
func (v *value) isSetAs(unset model.Lack) bool {
	switch {
	case unset == model.LackNever:
		return true
	case unset == model.LackZero && v.typ.underlying.Kind == model.KindStruct:
		return !v.isZero()
	}
	return v.isSet()
}

// isStruct reports whether a type with custom JSON is a struct, which is always set, and not an
// amount, which is unset if it is zero.
func (t *goType) isStruct() bool {
	name := t.ref.ID()
	return t.underlying.Kind == model.KindStruct && name != model.Duration && name != model.Quantity
}

// deref returns the value behind a pointer, nil for a nil pointer, and other values unchanged.
func (v *value) deref() *value {
	switch {
	case v == nil || v.typ.form != pointerForm:
		return v
	case v.null:
		return nil
	}
	return v.parts[0]
}

// field returns the field with a Go name.
func (v *value) field(name string) *value {
	i, ok := v.typ.names[name]
	if !ok {
		return nil
	}
	return v.parts[i]
}

// scalar returns a string, bool or number as text.
func (v *value) scalar() string {
	switch v.typ.form {
	case stringForm:
		return v.text
	case boolForm:
		return strconv.FormatBool(v.bits != 0)
	case intForm:
		return strconv.FormatInt(int64(v.bits), 10)
	case uintForm:
		return strconv.FormatUint(v.bits, 10)
	}
	return ""
}

// Declared types such as word: errors format their values as JSON, and values of predeclared types
// like Go.
type word string

// inError returns the value for an error, so that it is formatted like the Go value.
func (v *value) inError() any {
	switch {
	case v.typ.form == stringForm && v.typ.declared:
		return word(v.text)
	case v.typ.form == stringForm:
		return v.text
	case v.typ.form == intForm:
		return int64(v.bits)
	case v.typ.form == uintForm:
		return v.bits
	case v.typ.form == floatForm && !v.typ.declared && v.typ.bits == 32:
		return float32(v.real)
	case v.typ.form == floatForm && !v.typ.declared:
		return v.real
	case v.typ.form == boolForm && !v.typ.declared:
		return v.bits != 0
	}
	return v
}
