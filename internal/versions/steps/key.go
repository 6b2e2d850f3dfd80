package steps

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Key returns a field of a version, below embedded structs.
func (a *API) Key(f *model.Field, above ...*model.Field) *Key {
	k := &Key{JSON: f.JSON, Type: f.Type}
	for _, g := range above {
		k.Go = append(k.Go, g.Name)
	}
	k.Go = append(k.Go, f.Name)
	switch u := a.Model.Underlying(f.Type); {
	case value.HasOwnJSON(a.Model, f.Type):
		if u.Kind != model.KindPointer {
			if z := zero(a.Model, f.Type, 0); z.Kind != value.Null {
				k.Zero = z.JSON()
			}
		}
	case u.Kind == model.KindMap:
		k.EmptyIsAbsent = true
	case u.Kind == model.KindStruct:
		if !a.fills(f.Type) {
			k.EmptyIsAbsent = true
			k.Zero = a.zero(f.Type, 0, new(int)).JSON()
		}
	case u.IsScalar() || u.Kind == model.KindArray:
		if z := zero(a.Model, f.Type, 0); z.Kind != value.Null {
			k.Zero = z.JSON()
		}
		k.Required = u.IsScalar() && a.Model.Absent(f) == model.LackNever
	}
	return k
}

// fills reports whether a version has a default for a field of a struct.
func (a *API) fills(r *model.Ref) bool {
	t := a.Model.Struct(r)
	return t != nil && a.IsFilled(t)
}

// IsFilled reports whether a version has a default for a field of a struct: an empty object is not absent.
func (a *API) IsFilled(t *model.Type) bool {
	if t.Hub != nil {
		return a.filled[*t.Hub]
	}
	return a.filled[t.ID()]
}

// maxZero is the number of values in the zero value of a struct: a type that is used twice by each of many others would
// have one without end. Structs beyond have no members, so that conversions keep what could be left out.
const maxZero = 4096

// zero returns the zero value of a struct with all fields that have one. Those of types that a version fills have none, and null stands
// for an empty map: unlike a struct, a map with a null is no empty one. It counts the values.
func (a *API) zero(r *model.Ref, depth int, values *int) *value.Value {
	out := value.Zero(a.Model, r)
	t := a.Model.Struct(r)
	if *values++; t == nil || out.Kind != value.Object || depth > maxDepth || *values > maxZero {
		return out
	}
	params := a.Model.Params(r)
	for _, f := range t.Fields {
		typ := f.Type.Substitute(params)
		u := a.Model.Underlying(typ)
		if f.Inline && u.Kind == model.KindStruct {
			out.Members = append(out.Members, a.zero(typ, depth+1, values).Members...)
		}
		if f.JSON == "" || u.Kind == model.KindStruct && a.fills(typ) && !value.HasOwnJSON(a.Model, typ) {
			continue
		}
		if z := a.zero(typ, depth+1, values); z.Kind != value.Null || u.Kind == model.KindMap {
			out.Members = append(out.Members, value.Member{Key: f.JSON, Value: z})
		}
	}
	return out
}
