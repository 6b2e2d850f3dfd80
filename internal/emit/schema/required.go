package schema

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

// The markers that say whether a field is required. The declarative tags win
// over kubebuilder's, and these over the plain ones.
const (
	tagRequired  = "k8s:required"
	tagOptional  = "k8s:optional"
	tagForbidden = "k8s:forbidden"
	tagOpaque    = "k8s:opaqueType"
	tagEachVal   = "k8s:eachVal"
	tagEachKey   = "k8s:eachKey"

	kubebuilderRequired = "kubebuilder:validation:Required"
	kubebuilderOptional = "kubebuilder:validation:Optional"
)

// isRequired reports whether the field is required on the wire: what its
// markers say, else what its package says, else whether Go always writes it.
func (b *builder) isRequired(t *model.Type, f *model.Field, opaque bool) bool {
	held := b.held(t.Package, f.Constraints)
	switch {
	case !opaque && model.Has(held, tagRequired):
		return true
	case !opaque && (model.Has(held, tagOptional) || model.Has(held, tagForbidden)):
		return false
	case hasMarker(f.Markers, kubebuilderOptional):
		return false
	case hasMarker(f.Markers, kubebuilderRequired):
		return true
	case hasMarker(f.Markers, "optional"):
		return false
	case hasMarker(f.Markers, "required"):
		return true
	}
	if p := b.model.Package(t.Package); p != nil && hasMarker(p.Markers, kubebuilderOptional) {
		return false
	}
	return !f.OmitEmpty && !f.OmitZero
}

// isMarkedRequired reports whether an author wrote that the field is required,
// on it or for the whole package. A value that no one set must not be made up
// for such a field.
func (b *builder) isMarkedRequired(t *model.Type, f *model.Field) bool {
	if model.Has(b.held(t.Package, f.Constraints), tagRequired) || hasMarker(f.Markers, kubebuilderRequired, "required") {
		return true
	}
	p := b.model.Package(t.Package)
	return p != nil && hasMarker(p.Markers, kubebuilderRequired)
}
