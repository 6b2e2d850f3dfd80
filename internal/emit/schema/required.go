package schema

import (
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
)

// isRequired reports whether the field is required on the wire: what its
// markers say, else what its package says, else whether Go always writes it.
// Tags win over kubebuilder's markers, and these over the plain ones.
func (b *builder) isRequired(t *model.Type, f *model.Field, opaque bool) bool {
	held := b.held(t.Package, f.Constraints)
	switch {
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

// isMarkedRequired reports whether an author wrote that the field is required,
// on it or for the whole package. A value that no one set must not be made up
// for such a field.
func (b *builder) isMarkedRequired(t *model.Type, f *model.Field) bool {
	if model.Has(b.held(t.Package, f.Constraints), model.RoleRequired) || hasMarker(f.Markers, foreign.KubebuilderRequired, foreign.Required) {
		return true
	}
	p := b.model.Package(t.Package)
	return p != nil && hasMarker(p.Markers, foreign.KubebuilderRequired)
}
