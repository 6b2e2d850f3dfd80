package conversion

import (
	"cmp"

	"github.com/kindsmith/kindsmith/internal/model"
)

// structBody prints the conversion of a struct, field by field in the order of the
// newest version.
func (w *writer) structBody(p pair, d way) {
	if w.sameLayout(p) {
		_, to := p.ends(d)
		w.f.P("*out = ", w.typeName(to), "(*in)")
		return
	}
	olderFields := map[string]*model.Field{}
	for _, f := range p.older.Fields {
		if f.Origin != nil {
			olderFields[f.Origin.Field] = f
		}
	}
	for _, hubField := range p.hub.Fields {
		olderField := olderFields[hubField.Name]
		switch {
		case !hubField.Exported() || isTypeMeta(p.hub, hubField):
			// The scheme sets the TypeMeta of converted objects.
		case olderField == nil:
			w.addedField(d, hubField)
		default:
			w.field(hubField, olderField, d)
		}
	}
}

// isTypeMeta reports whether the field is a kind's TypeMeta.
func isTypeMeta(t *model.Type, f *model.Field) bool {
	return t.Kind != nil && f.Embedded && f.Type.ID() == model.Name{Package: metaV1, Name: "TypeMeta"}
}

// sameLayout reports whether Go can convert one struct to the other with a
// conversion expression, without sharing memory.
func (w *writer) sameLayout(p pair) bool {
	if len(p.older.Fields) != len(p.hub.Fields) || len(p.hub.Fields) == 0 {
		return false
	}
	for i, f := range p.older.Fields {
		g := p.hub.Fields[i]
		if f.Origin == nil || f.Origin.Field != g.Name || f.Name != g.Name || f.Embedded != g.Embedded ||
			!f.Type.Equal(g.Type) || !w.flat(f.Type) || len(retypes(f.Origin.Steps)) > 0 {
			return false
		}
	}
	return true
}

// addedField prints the conversion of a field that the older version lacks.
func (w *writer) addedField(d way, f *model.Field) {
	if added := addedBy(f); d == up && added != nil && added.Default != nil {
		w.defaultValue(f, added)
		return
	}
	w.f.P("// ", w.older.Name, " has no ", f.Name, ".")
}

func addedBy(f *model.Field) *model.Added {
	for _, c := range f.Changes {
		if added, ok := c.(*model.Added); ok {
			return added
		}
	}
	return nil
}

// wireName returns the field's name in paths: "" for an inlined field.
func wireName(f *model.Field) string {
	if f.Inline {
		return ""
	}
	return cmp.Or(f.JSON, f.Name)
}
