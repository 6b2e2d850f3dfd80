package definitions

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"k8s.io/apimachinery/pkg/util/validation"
)

// checkKind reports a type with markers of a kind that is not a kind.
func (b *builder) checkKind(t *model.Type, list []schema.Marker) {
	if t.Kind != nil && !t.Kind.List || t.Generic {
		return
	}
	of := b.model.Struct(model.Named(t.Package, t.Name))
	field := func(name string) *model.Field {
		if of == nil {
			return nil
		}
		i := slices.IndexFunc(of.Fields, func(f *model.Field) bool {
			return f.Type.ID() == model.Name{Package: schema.ObjectMeta.Package, Name: name}
		})
		if i < 0 {
			return nil
		}
		return of.Fields[i]
	}
	typeMeta, objectMeta := field("TypeMeta"), field("ObjectMeta")
	if typeMeta != nil && objectMeta != nil && !typeMeta.Embedded {
		b.diags.Warnf(typeMeta.Span, codeNotKind, "%s gets no CustomResourceDefinition: its TypeMeta has a field name, so encoding/json does not inline it; embed metav1.TypeMeta", t.Name).RestsOn(emit.KindOf(t.ID())).Voids(emit.KindOf(t.ID()))
		return
	}
	if typeMeta != nil && t.Kind == nil && b.checkRoot(t, of, cmp.Or(objectMeta, field("ListMeta"))) {
		return
	}
	for _, m := range list {
		_, ofSpec := m.Value.(specMarker)
		_, ofCRD := m.Value.(crdMarker)
		switch {
		case !ofSpec && !ofCRD:
		case typeMeta != nil && objectMeta == nil && t.Kind == nil:
			b.diags.Warnf(m.Source.Span, codeNotKind, "+%s has no effect: %s has no metav1.ObjectMeta, so it gets no CustomResourceDefinition", m.Source.Name, t.Name).RestsOn(emit.KindOf(t.ID()))
			return
		default:
			b.diags.Warnf(m.Source.Span, codeNotKind, "+%s has no effect: %s is not a kind; a kind embeds metav1.TypeMeta and metav1.ObjectMeta", m.Source.Name, t.Name).RestsOn(emit.KindOf(t.ID()))
			return
		}
	}
}

// checkRoot reports a type that is marked as an object, has TypeMeta, but is no kind: its metadata has another name, or it
// looks like a kind without metadata. Others, such as configuration files, need none.
func (b *builder) checkRoot(t, of *model.Type, meta *model.Field) bool {
	i := slices.IndexFunc(t.Markers, func(m model.Marker) bool { return m.Name == foreign.ObjectRoot && !strings.HasSuffix(m.Text, "=false") })
	switch {
	case i < 0:
		return false
	case meta != nil:
		b.diags.Warnf(meta.Span, codeNotKind, "%s gets no CustomResourceDefinition: the JSON name of its metadata must be metadata; write `json:\"metadata,omitempty\"`", t.Name).Voids(emit.KindOf(t.ID()))
		return true
	case slices.ContainsFunc(of.Fields, func(f *model.Field) bool { return slices.Contains([]string{"spec", "status", "items"}, f.JSON) }):
		b.diags.Warnf(t.Markers[i].Span, codeNotKind, "%s gets no CustomResourceDefinition, because it has no metadata; embed metav1.ObjectMeta, or metav1.ListMeta in a list", t.Name).Voids(emit.KindOf(t.ID()))
		return true
	}
	return false
}

// checkGroup reports a package with kinds but without a group.
func (b *builder) checkGroup(p *model.Package) {
	if p.Group != "" {
		for _, m := range p.Markers {
			if problems := validation.IsDNS1123Subdomain(p.Group); m.Name == foreign.GroupName && len(problems) > 0 {
				b.diags.Errorf(m.Span, codeRefused, "%q is not the name of a group: write lower-case letters, digits, - and ., such as shop.example.com", p.Group)
			}
		}
	}
	if p.HasGroup() || model.HasMarker(p.Markers, foreign.Skip) || !slices.ContainsFunc(p.Types, isKind) {
		return
	}
	if p.Generated {
		return // reported at the newest version
	}
	b.diags.Warnf(p.Span, codeNoGroup, "this package has kinds but no API group, so it gets no CustomResourceDefinitions; add +groupName=<group> above the package clause, or +kubebuilder:skip if it needs none").
		RestsOn(tag.GroupOf(p))
}
