package schema

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// marshalled returns the schema of a type with a hand-written MarshalJSON or MarshalText, from its
// markers. It returns nil for other types.
func (b *Builder) marshalled(t *model.Type, markers []Marker, u use) *props {
	switch {
	case b.hasMethod(t, "MarshalJSON"):
		if s := b.applyMarkers(&props{}, markers, declarations{}); hasTypeMarker(markers) {
			return s
		}
		if b.isOpen(t, markers) {
			return nil
		}
		b.diags.Warnf(u.span, codeCustomJSON,
			"%s has a hand-written MarshalJSON, so its JSON may differ from its schema; add +kubebuilder:validation:Type=<type> to the type or this field, or +kubebuilder:validation:Schemaless", t.Name)
	case b.hasMethod(t, "MarshalText"):
		s := b.applyMarkers(&props{Type: String}, markers, declarations{})
		if s.Type != String {
			b.diags.Errorf(t.Span, codeTextType, "%s has MarshalText, so its JSON is a string and cannot have the type %q", t.Name, s.Type)
		}
		return s
	}
	return nil
}

// writesItself reports whether only markers can describe the JSON of the type.
func (b *Builder) writesItself(r *model.Ref) bool {
	r, _ = b.model.Deref(r)
	t := b.model.Type(r.ID())
	return t != nil && Known(r.ID()) == nil && b.hasMethod(t, "MarshalJSON")
}

func hasTypeMarker(markers []Marker) bool {
	return slices.ContainsFunc(markers, func(m Marker) bool { return m.Definition.Name == foreign.KubebuilderType })
}

// isOpen reports whether the schema of a struct is that of any object: its fields are not in JSON, and a marker keeps all others.
func (b *Builder) isOpen(t *model.Type, markers []Marker) bool {
	o := b.model.Object(t)
	return o != nil && len(o.Members) == 0 && slices.ContainsFunc(markers, func(m Marker) bool {
		return m.Definition.Name == foreign.KubebuilderPreserve || m.Definition.Name == foreign.KubebuilderXPreserve
	})
}

// hasMethod reports whether the type has a method, including promoted ones.
func (b *Builder) hasMethod(t *model.Type, name string) bool {
	return b.findMethod(t, name, 0)
}

func (b *Builder) findMethod(t *model.Type, name string, depth int) bool {
	if t.Methods[name] != nil {
		return true
	}
	if depth > 8 {
		return false
	}
	for _, f := range t.Fields {
		if !f.Embedded {
			continue
		}
		r, _ := b.model.Deref(f.Type)
		if e := b.model.Type(r.ID()); e != nil && b.findMethod(e, name, depth+1) {
			return true
		}
	}
	return false
}
