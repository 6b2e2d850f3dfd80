package schema

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/spell"
	"github.com/kindsmith/kindsmith/internal/tag"
	"k8s.io/apimachinery/pkg/util/validation"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// registry has the markers of controller-gen's CRD generator.
type registry struct {
	*markers.Registry
	// names are the markers' names by spelling, including name:argument for those with arguments.
	names map[string]string
}

func newRegistry() (*registry, error) {
	r := &registry{Registry: &markers.Registry{}, names: map[string]string{}}
	if err := crdmarkers.Register(r.Registry); err != nil {
		return nil, err
	}
	for _, def := range r.AllDefinitions() {
		if !strings.HasPrefix(def.Name, foreign.KubebuilderPrefix) {
			continue
		}
		r.names[def.Name] = def.Name
		for argument := range def.Fields {
			if argument != "" {
				r.names[def.Name+":"+argument] = def.Name
			}
		}
	}
	for _, name := range []string{foreign.ObjectRoot, foreign.ObjectGenerate} {
		r.names[name] = name
	}
	return r, nil
}

// otherGenerators are kubebuilder's markers for other generators.
var otherGenerators = regexp.MustCompile(`^kubebuilder:(object:(root|generate)|rbac|webhook|webhookconfiguration|ac|scaffold|docs-gen|conversion|plural|listmeta|namespaced|skip)\b`)

// meant are common wrong names with the correct markers.
var meant = map[string]string{"kubebuilder:validation:OneOf": "kubebuilder:validation:ExactlyOneOf"}

// checkMarkers reports the mistakes in all markers of the package, even if no kind uses them.
func (b *builder) checkMarkers(p *model.Package) {
	b.parse(p.Markers, onPackage, p.Path)
	b.loose(p)
	for _, t := range p.Types {
		b.checkKind(t, b.parse(t.Markers, onType, p.Path))
		for _, f := range t.Fields {
			b.parse(f.Markers, onField, p.Path)
		}
	}
}

// loose reports markers of schemas and groups that belong to no declaration. Markers of roles and
// webhooks may be anywhere.
func (b *builder) loose(p *model.Package) {
	for _, m := range p.Loose {
		text, span := "+"+foreign.WithoutComment(m.Text), m.Span.Sub(0, 1+len(m.Name))
		switch {
		case m.Name != foreign.GroupName && m.Name != foreign.VersionName && !strings.HasPrefix(m.Name, foreign.KubebuilderPrefix):
		case b.registry.Lookup(text, onPackage) != nil:
			b.diags.Warnf(span, codeMarkerPlace, "+%s has no effect here; write it above the package clause", m.Name)
		case b.registry.Lookup(text, onType) != nil || b.registry.Lookup(text, onField) != nil:
			b.diags.Warnf(span, codeMarkerPlace, "+%s has no effect: %s", m.Name, m.Why)
		}
	}
}

// checkKind reports a type with markers of a kind that is not a kind.
func (b *builder) checkKind(t *model.Type, list []parsedMarker) {
	if t.Kind != nil && !t.Kind.List || t.Generic {
		return
	}
	of := b.model.Struct(model.Named(t.Package, t.Name))
	field := func(name string) *model.Field {
		if of == nil {
			return nil
		}
		i := slices.IndexFunc(of.Fields, func(f *model.Field) bool { return f.Type.ID() == model.Name{Package: metaV1, Name: name} })
		if i < 0 {
			return nil
		}
		return of.Fields[i]
	}
	typeMeta, objectMeta := field("TypeMeta"), field("ObjectMeta")
	if typeMeta != nil && objectMeta != nil && !typeMeta.Embedded {
		b.diags.Warnf(typeMeta.Span, codeNotKind, "%s gets no CustomResourceDefinition: its TypeMeta has a field name, so encoding/json does not inline it; embed metav1.TypeMeta", t.Name).RestsOn(emit.KindOf(t))
		return
	}
	if typeMeta != nil && t.Kind == nil && b.checkRoot(t, of, cmp.Or(objectMeta, field("ListMeta"))) {
		return
	}
	for _, m := range list {
		_, ofSpec := m.value.(specMarker)
		_, ofCRD := m.value.(crdMarker)
		switch {
		case !ofSpec && !ofCRD:
		case typeMeta != nil && objectMeta == nil && t.Kind == nil:
			b.diags.Warnf(m.source.Span, codeNotKind, "+%s has no effect: %s has no metav1.ObjectMeta, so it gets no CustomResourceDefinition", m.source.Name, t.Name).RestsOn(emit.KindOf(t))
			return
		default:
			b.diags.Warnf(m.source.Span, codeNotKind, "+%s has no effect: %s is not a kind; a kind embeds metav1.TypeMeta and metav1.ObjectMeta", m.source.Name, t.Name).RestsOn(emit.KindOf(t))
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
		b.diags.Warnf(meta.Span, codeNotKind, "%s gets no CustomResourceDefinition: the JSON name of its metadata must be metadata; write `json:\"metadata,omitempty\"`", t.Name)
		return true
	case slices.ContainsFunc(of.Fields, func(f *model.Field) bool { return slices.Contains([]string{"spec", "status", "items"}, f.JSON) }):
		b.diags.Warnf(t.Markers[i].Span, codeNotKind, "%s gets no CustomResourceDefinition, because it has no metadata; embed metav1.ObjectMeta, or metav1.ListMeta in a list", t.Name)
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
	if p.HasGroup() || hasMarker(p.Markers, foreign.Skip) || !slices.ContainsFunc(p.Types, isKind) {
		return
	}
	if p.Generated {
		return // reported at the newest version
	}
	b.diags.Warnf(p.Span, codeNoGroup, "this package has kinds but no API group, so it gets no CustomResourceDefinitions; add +groupName=<group> above the package clause, or +kubebuilder:skip if it needs none").
		RestsOn(tag.GroupOf(p))
}

// unknown warns about a kubebuilder marker that controller-gen ignores.
func (b *builder) unknown(m model.Marker, target markers.TargetType) {
	if !strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) || otherGenerators.MatchString(m.Name) {
		return
	}
	for _, other := range []markers.TargetType{onPackage, onType, onField} {
		if other != target && b.registry.Lookup("+"+foreign.WithoutComment(m.Text), other) != nil {
			b.diags.Warnf(m.Span, codeMarkerPlace, "+%s has no effect on a %s; it is for a %s", m.Name, target, other)
			return
		}
	}
	spellings := sortedKeys(b.registry.names)
	nearest := cmp.Or(meant[m.Name], near(m.Name, spellings))
	if nearest == "" {
		b.diags.Warnf(m.Span, codeUnknownMarker, "+%s has no effect: controller-gen has no such marker", m.Name)
		return
	}
	span := m.Span.Sub(1, 1+len(m.Name))
	d := b.diags.Warnf(span, codeUnknownMarker, "+%s has no effect: controller-gen has no such marker; did you mean +%s?", m.Name, b.registry.names[nearest])
	if spell.Certain(m.Name, spellings) == nearest {
		d.Suggest(span, nearest, "write +%s", nearest)
	}
}

// near returns the marker that is most similar to a name, without the common prefix.
func near(name string, spellings []string) string {
	prefix := foreign.KubebuilderPrefix
	if strings.HasPrefix(name, foreign.KubebuilderValidation) {
		prefix = foreign.KubebuilderValidation
	}
	var rests []string
	for _, s := range spellings {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			rests = append(rests, rest)
		}
	}
	if rest := spell.Nearest(strings.TrimPrefix(name, prefix), rests); rest != "" {
		return prefix + rest
	}
	return ""
}
