package value

import (
	"encoding/json"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Encoded returns the JSON that Go writes after it has read a value that fits a type: known types have their canonical
// text, and structs have all fields that Go does not leave out.
func Encoded(m *model.Model, r *model.Ref, v *Value) *Value {
	if v = given(m, r, v); v.Kind == Null {
		return v
	}
	if k, ok := knownTypes[r.ID()]; ok {
		if k.encode == nil {
			return v
		}
		return k.encode(v)
	}
	if HasOwnJSON(m, r) {
		return v
	}
	u := Underlying(m, r)
	out := *v
	switch {
	case u.Kind == model.KindPointer:
		return Encoded(m, u.Elem, v)
	case u.Kind == model.KindStruct:
		out.Members = encodedFields(m, r, v)
	case v.Kind == Array:
		out.Items = nil
		for _, item := range v.Items {
			out.Items = append(out.Items, Encoded(m, u.Elem, item))
		}
	case u.Kind == model.KindMap:
		out.Members = nil
		for _, member := range v.Members {
			member.Value = Encoded(m, u.Elem, member.Value)
			out.Members = append(out.Members, member)
		}
	}
	return &out
}

func encodedFields(m *model.Model, r *model.Ref, v *Value) []Member {
	t, at := Struct(m, r)
	if t == nil {
		return v.Members
	}
	params := m.Params(at)
	var members []Member
	for _, f := range t.Fields {
		typ := f.Type.Substitute(params)
		switch {
		case f.Skipped:
		case f.Inline:
			inner := Promoted(m, t, typ, v)
			if Underlying(m, typ).Kind == model.KindPointer && inner == nil {
				continue
			}
			for _, member := range Encoded(m, Pointee(m, typ), inner).Members {
				if t.FieldByJSON(member.Key) == nil {
					members = append(members, member)
				}
			}
		default:
			value := Encoded(m, typ, v.Member(f.JSON))
			if !Omitted(m, typ, value, f.OmitEmpty, f.OmitZero) {
				members = append(members, Member{Key: f.JSON, Value: value})
			}
		}
	}
	return members
}

// Omitted reports whether Go leaves out a field with a value, by the options of the field.
func Omitted(m *model.Model, r *model.Ref, v *Value, omitEmpty, omitZero bool) bool {
	kind := Underlying(m, r).Kind
	if kind == model.KindSlice || kind == model.KindMap || kind == model.KindPointer || kind == model.KindInterface {
		return (omitEmpty || omitZero) && v.Kind == Null || omitEmpty && (kind == model.KindSlice || kind == model.KindMap) && IsZero(m, r, v)
	}
	return (omitZero || omitEmpty && kind != model.KindStruct && kind != model.KindArray) && IsZero(m, r, v)
}

// encoded returns what T writes after it has read a value.
func encoded[T any](v *Value) *Value {
	text, err := json.Marshal(As[T](v))
	if err != nil {
		return v
	}
	if out, _ := Parse(string(text)); out != nil {
		return out
	}
	return v
}
