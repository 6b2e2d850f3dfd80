package value

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Zero returns the JSON of a type's zero value. That of a struct is {}, since absent
// fields are zero.
func Zero(m *model.Model, r *model.Ref) *Value {
	if k, ok := knownTypes[r.ID()]; ok {
		v, _ := Parse(k.zero)
		return v
	}
	if HasOwnJSON(m, r) {
		return &Value{}
	}
	switch u := Underlying(m, r); {
	case u.IsString():
		return OfString("")
	case u.IsBool():
		return &Value{Kind: Bool, Text: "false"}
	case u.IsScalar():
		return &Value{Kind: Number, Text: "0"}
	case u.Kind == model.KindStruct:
		return &Value{Kind: Object}
	case u.Kind == model.KindArray:
		v := &Value{Kind: Array}
		for range u.Len {
			v.Items = append(v.Items, Zero(m, u.Elem))
		}
		return v
	}
	return &Value{}
}

// IsZero reports whether a value that fits a type is the type's zero value, or
// an empty list or map.
func IsZero(m *model.Model, r *model.Ref, v *Value) bool { return Equal(m, r, v, Zero(m, r)) }

// Equal reports whether two values that fit a type are semantically equal: numbers by value, with
// the type's precision; quantities, durations and times by value; null and absent values equal
// empty lists and maps, and a field's zero value.
func Equal(m *model.Model, r *model.Ref, a, b *Value) bool {
	a, b = given(m, r, a), given(m, r, b)
	if k, ok := knownTypes[r.ID()]; ok && k.compare != nil && a.Kind != Null && b.Kind != Null {
		order, comparable := k.compare(a, b)
		return comparable && order == 0
	}
	if HasOwnJSON(m, r) {
		return Same(a, b)
	}
	switch u := Underlying(m, r); {
	case u.IsScalar():
		order, ok := Compare(m, r, a, b)
		return ok && order == 0
	case u.Kind == model.KindInterface:
		return Same(a, b)
	case u.Kind == model.KindPointer:
		if elem := Pointee(m, u); elem != nil && a.Kind != Null && b.Kind != Null {
			return Equal(m, elem, a, b)
		}
		return a.Kind == b.Kind
	case u.IsBytes():
		x, _ := base64.StdEncoding.DecodeString(a.Text)
		y, _ := base64.StdEncoding.DecodeString(b.Text)
		return bytes.Equal(x, y)
	case u.Kind == model.KindSlice, u.Kind == model.KindArray:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Equal(m, u.Elem, a.Items[i], b.Items[i]) {
				return false
			}
		}
		return true
	case u.Kind == model.KindMap:
		return equalMaps(a, b, func(a, b *Value) bool { return Equal(m, u.Elem, a, b) }, mapKey(Underlying(m, u.Key)))
	case u.Kind == model.KindStruct:
		for name, f := range Fields(m, r) {
			if !Equal(m, f.Type, a.Member(name), b.Member(name)) {
				return false
			}
		}
		return true
	}
	return Same(a, b)
}

// given returns the value after decoding in Go: for null or an absent value, the
// zero value where Go has one.
func given(m *model.Model, r *model.Ref, v *Value) *Value {
	if v == nil || v.Kind == Null {
		return Zero(m, r)
	}
	return v
}

// mapKey returns the canonical form of a map key.
func mapKey(key *model.Ref) func(text string) string {
	if key.IsInteger() {
		return Integer
	}
	return func(text string) string { return text }
}

func equalMaps(a, b *Value, equal func(a, b *Value) bool, key func(string) string) bool {
	x, y := byKey(a, key), byKey(b, key)
	if len(x) != len(y) {
		return false
	}
	for k, v := range x {
		if other, ok := y[k]; !ok || !equal(v, other) {
			return false
		}
	}
	return true
}

func byKey(v *Value, key func(string) string) map[string]*Value {
	all := map[string]*Value{}
	for _, m := range v.Members {
		all[key(m.Key)] = m.Value
	}
	return all
}

// Same reports whether two values are equal JSON: numbers by their exact values,
// objects in any order of keys.
func Same(a, b *Value) bool {
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case Number:
		return compareNumbers(a.Text, b.Text) == 0
	case Array:
		if len(a.Items) != len(b.Items) {
			return false
		}
		for i := range a.Items {
			if !Same(a.Items[i], b.Items[i]) {
				return false
			}
		}
	case Object:
		return equalMaps(a, b, Same, func(key string) string { return key })
	}
	return a.Text == b.Text
}

// Compare orders two values that fit a type. It returns false for values without
// an order: lists, maps, structs, null, and types with custom JSON except
// quantities, durations and times.
func Compare(m *model.Model, r *model.Ref, a, b *Value) (order int, ok bool) {
	r = Pointee(m, r)
	if r == nil || a.Kind == Null || b.Kind == Null {
		return 0, false
	}
	if k, known := knownTypes[r.ID()]; known && k.compare != nil {
		return k.compare(a, b)
	}
	u := Underlying(m, r)
	switch {
	case HasOwnJSON(m, r) || !u.IsScalar() || a.Kind != b.Kind:
		return 0, false
	case u.IsFloat():
		x, _ := strconv.ParseFloat(a.Text, FloatBits(u))
		y, _ := strconv.ParseFloat(b.Text, FloatBits(u))
		return cmp.Compare(x, y), true
	case a.Kind == Number:
		return compareNumbers(a.Text, b.Text), true
	}
	return strings.Compare(a.Text, b.Text), true // false is before true
}
