package schema

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// registry knows the markers that controller-gen's CRD generator reads.
type registry struct {
	*markers.Registry
	// names are the markers' names by spelling: those with arguments have the
	// form name:argument, too.
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
	return r, nil
}

// otherGenerators are kubebuilder's markers that are not about CRDs.
var otherGenerators = regexp.MustCompile(`^kubebuilder:(object|rbac|webhook|webhookconfiguration|ac|scaffold|docs-gen|conversion|plural|listmeta|namespaced|skip)\b`)

// checkMarkers reports the mistakes in all markers of the package, whether its
// kinds lead to them or not.
func (b *builder) checkMarkers(p *model.Package) {
	b.parse(p.Markers, onPackage, p.Path)
	for _, t := range p.Types {
		b.parse(t.Markers, onType, p.Path)
		for _, f := range t.Fields {
			b.parse(f.Markers, onField, p.Path)
		}
	}
}

// checkGroup reports a package whose kinds belong to no group, so that nothing
// is written for them.
func (b *builder) checkGroup(p *model.Package) {
	if p.Group != "" || hasMarker(p.Markers, foreign.Skip) || !slices.ContainsFunc(p.Types, isKind) {
		return
	}
	b.diags.Warnf(p.Span, codeNoGroup, "this package has kinds but no API group, so it gets no CustomResourceDefinitions; add +groupName=<group> above the package clause, or +kubebuilder:skip if it needs none")
}

// unknown reports a marker of kubebuilder's that controller-gen would ignore.
func (b *builder) unknown(m model.Marker, target markers.TargetType) {
	if !strings.HasPrefix(m.Name, foreign.KubebuilderPrefix) || otherGenerators.MatchString(m.Name) {
		return
	}
	for _, other := range []markers.TargetType{onPackage, onType, onField} {
		if other != target && b.registry.Lookup("+"+foreign.WithoutComment(m.Text), other) != nil {
			b.diags.Errorf(m.Span, codeMarkerPlace, "+%s is for a %s, but this is a %s; it has no effect here", m.Name, other, target)
			return
		}
	}
	spellings := sortedKeys(b.registry.names)
	nearest := tag.NearestOf(m.Name, spellings)
	if nearest == "" {
		b.diags.Errorf(m.Span, codeUnknownMarker, "unknown marker +%s; it has no effect", m.Name)
		return
	}
	span := m.Span.Sub(1, 1+len(m.Name))
	d := b.diags.Errorf(span, codeUnknownMarker, "unknown marker +%s; did you mean +%s?", m.Name, b.registry.names[nearest])
	if tag.Typo(m.Name, spellings) == nearest {
		d.Suggest(span, nearest, "write +%s", nearest)
	}
}
