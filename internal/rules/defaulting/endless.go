package defaulting

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Endless returns the field whose default contains itself without end, if the default of a field of
// owner leads to it; nil otherwise.
func Endless(m *model.Model, owner *model.Type, f *model.Field) *model.Field {
	e := expander{m: m, active: map[*model.Field]bool{}}
	return e.field(owner, f, nil)
}

// expander expands defaults in an empty value.
type expander struct {
	m *model.Model
	// active are the fields whose defaults are being expanded.
	active map[*model.Field]bool
}

// field expands the default of a field with the value v, nil if it is absent, and returns the
// endless field, if any.
func (e *expander) field(owner *model.Type, f *model.Field, v *value.Value) *model.Field {
	if v == nil || v.Kind == value.Null {
		effective, ok := OfField(e.m, owner, f)
		if !ok || effective.Value.Kind == value.Null {
			return nil
		}
		if e.active[f] {
			return f
		}
		e.active[f] = true
		defer delete(e.active, f)
		v = effective.Value
	}
	return e.value(f.Type, v)
}

func (e *expander) value(r *model.Ref, v *value.Value) *model.Field {
	u := value.Underlying(e.m, r)
	switch {
	case value.HasOwnJSON(e.m, r):
		return nil
	case u.Kind == model.KindPointer:
		if elem := value.Pointee(e.m, u); elem != nil {
			return e.value(elem, v)
		}
	case u.Kind == model.KindStruct && v.Kind == value.Object:
		if t := e.m.Struct(r); t != nil {
			return e.object(t, v)
		}
	case u.Kind == model.KindSlice || u.Kind == model.KindArray:
		for _, item := range v.Items {
			if f := e.value(u.Elem, item); f != nil {
				return f
			}
		}
	case u.Kind == model.KindMap:
		for _, member := range v.Members {
			if f := e.value(u.Elem, member.Value); f != nil {
				return f
			}
		}
	}
	return nil
}

func (e *expander) object(t *model.Type, v *value.Value) *model.Field {
	for _, f := range t.Fields {
		var found *model.Field
		switch {
		case f.Skipped:
		case f.Inline:
			if elem, pointer := e.m.Deref(f.Type); !pointer {
				found = e.value(elem, v)
			}
		default:
			found = e.field(t, f, v.Member(f.JSON))
		}
		if found != nil {
			return found
		}
	}
	return nil
}
