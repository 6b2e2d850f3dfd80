package schema

import (
	"strings"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// isRequired reports whether the field is required in JSON: by its markers, else by those of its
// package, else if Go always writes it. Tags take precedence over kubebuilder's markers, and these
// over plain ones.
func (b *builder) isRequired(t *model.Type, f *model.Field, opaque bool) bool {
	held := b.held(t.Package, f.Tags)
	switch {
	case !opaque && tag.AllowsEmpty(b.model, f):
		return false
	case !opaque && model.Has(held, model.RoleRequired):
		return true
	case !opaque && model.Has(held, model.RoleOptional, model.RoleForbidden):
		return false
	case hasMarker(f.Markers, foreign.KubebuilderOptional):
		return false
	case hasMarker(f.Markers, foreign.KubebuilderRequired):
		return true
	case hasMarker(f.Markers, foreign.Optional):
		return false
	case hasMarker(f.Markers, foreign.Required):
		return true
	}
	if p := b.model.Package(t.Package); p != nil && hasMarker(p.Markers, foreign.KubebuilderOptional) {
		return false
	}
	return !f.OmitEmpty && !f.OmitZero
}

// isMarkedRequired reports whether a marker on the field or on the package makes the field
// required. Such a field must not get an automatic default.
func (b *builder) isMarkedRequired(t *model.Type, f *model.Field) bool {
	if model.Has(b.held(t.Package, f.Tags), model.RoleRequired) || hasMarker(f.Markers, foreign.KubebuilderRequired, foreign.Required) {
		return true
	}
	p := b.model.Package(t.Package)
	return p != nil && hasMarker(p.Markers, foreign.KubebuilderRequired)
}

// checkOneOf reports a field of ExactlyOneOf, AtMostOneOf or AtLeastOneOf that
// controller-gen refuses: one of a struct within, and one that is always set.
func (b *builder) checkOneOf(t *model.Type, markers []parsedMarker, u use) {
	for _, m := range markers {
		var names []string
		switch v := m.value.(type) {
		case crdmarkers.ExactlyOneOf:
			names = v
		case crdmarkers.AtMostOneOf:
			names = v
		case crdmarkers.AtLeastOneOf:
			names = v
		}
		for _, name := range names {
			f := t.FieldByJSON(name)
			switch {
			case strings.Contains(name, "."):
				b.diags.Errorf(m.source.Span, codeOneOf, "+%s is about fields of %s itself, and %s is one of a struct in it; put the marker on that struct, or write a rule in CEL", m.source.Name, t.Name, name)
			case f != nil && b.isRequired(t, f, u.opaque):
				b.diags.Errorf(m.source.Span, codeOneOf, "+%s has the field %s, which is required; make it optional, with omitempty or +optional", m.source.Name, name).
					Note(f.Span, "%s is here", name)
			}
		}
	}
}
