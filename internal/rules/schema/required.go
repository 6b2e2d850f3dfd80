package schema

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// isRequired reports whether the field is required in JSON. Opaque fields have no tags. A discriminator whose enum has
// the empty string may be unset, which is the same.
func (b *Builder) isRequired(t *model.Type, f *model.Field, opaque bool) bool {
	if opaque {
		return b.model.PresenceOf(t, f, nil).Required
	}
	return tag.IsRequired(b.model, t, f, b.projectionOf(t.Package))
}

// presence returns the presence of a field by the tags that apply.
func (b *Builder) presence(t *model.Type, f *model.Field) model.Presence {
	return b.model.PresenceOf(t, f, b.held(t.Package, f.Tags))
}

// isMarkedRequired reports whether a marker on the field or on the package makes the field
// required. Such a field must not get an automatic default.
func (b *Builder) isMarkedRequired(t *model.Type, f *model.Field) bool {
	if by := b.presence(t, f); by.Declared {
		return by.Required
	}
	p := b.model.Package(t.Package)
	return p != nil && model.HasMarker(p.Markers, foreign.KubebuilderRequired)
}

// checkOneOf reports a field of ExactlyOneOf, AtMostOneOf or AtLeastOneOf that
// controller-gen refuses: one of a struct within, and one that is always set.
func (b *Builder) checkOneOf(t *model.Type, markers []Marker, u use) {
	object := b.model.Object(t)
	if object == nil {
		return
	}
	for _, group := range object.OneOf {
		m := group.Marker
		if !slices.ContainsFunc(markers, func(p Marker) bool { return p.Source.Span == m.Span }) {
			continue // it is not published
		}
		for _, name := range group.Members {
			member := object.Member(name)
			switch {
			case strings.Contains(name, "."):
				b.diags.Errorf(m.Span, codeOneOf, "+%s is about fields of %s itself, and %s is one of a struct in it; put the marker on that struct, or write a rule in CEL", m.Name, t.Name, name)
			case member != nil && b.isRequired(b.model.Type(member.Owner), member.Field, u.opaque):
				b.diags.Errorf(m.Span, codeOneOf, "+%s has the field %s, which is required; make it optional, with omitempty or +optional", m.Name, name).
					Note(member.Field.Span, "%s is here", name)
			}
		}
	}
}
