package steps

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Written returns the zero value of a field as Go writes it; "" if it writes none.
func Written(m *model.Model, f *model.Field) string {
	if f.JSON == "" || !m.WritesZero(f) {
		return ""
	}
	return zero(m, f.Type, 0).JSON()
}

// zero returns the zero value of a type with the fields that Go writes.
func zero(m *model.Model, r *model.Ref, depth int) *value.Value {
	empty := value.Zero(m, r)
	t := m.Struct(r)
	if t == nil || empty.Kind != value.Object || depth > 64 {
		return empty
	}
	for r.ID() != t.ID() { // declared from another type
		r = m.Type(r.ID()).Def.Substitute(m.Params(r))
	}
	params := m.Params(r)
	for _, declared := range t.Fields {
		f := *declared
		f.Type = f.Type.Substitute(params)
		switch below := zero(m, f.Type, depth+1); {
		case f.Inline:
			empty.Members = append(empty.Members, below.Members...)
		case f.JSON != "" && Written(m, &f) != "":
			empty.Members = append(empty.Members, value.Member{Key: f.JSON, Value: below})
		}
	}
	return empty
}
