package schema

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// Registry has the markers of controller-gen's CRD generator.
type Registry struct {
	*markers.Registry
	// names are the markers' names by spelling, including name:argument for those with arguments.
	names map[string]string
}

// NewRegistry returns the markers that controller-gen registers. An error is a bug.
func NewRegistry() (*Registry, error) {
	r := &Registry{Registry: &markers.Registry{}, names: map[string]string{}}
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
var meant = map[string]string{
	"kubebuilder:validation:OneOf": "kubebuilder:validation:ExactlyOneOf",
	"kubebuilder:validation:AnyOf": "kubebuilder:validation:AtLeastOneOf",
}

// CheckMarkers reports the mistakes in all markers of the package, even if no kind uses them.
func (b *Builder) CheckMarkers(p *model.Package) {
	b.parse(p.Markers, onPackage, p.Path)
	b.loose(p)
	for _, t := range p.Types {
		b.MarkersOf(t)
		for _, f := range t.Fields {
			b.parse(f.Markers, onField, p.Path)
		}
	}
}

// MarkersOf returns the markers on a type that controller-gen reads. It reports mistakes.
func (b *Builder) MarkersOf(t *model.Type) []Marker {
	return b.parse(t.Markers, onType, t.Package)
}

// loose reports markers of schemas and groups that belong to no declaration. Markers of roles and
// webhooks may be anywhere.
func (b *Builder) loose(p *model.Package) {
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

// unknown warns about a kubebuilder marker that controller-gen ignores.
func (b *Builder) unknown(m model.Marker, target markers.TargetType) {
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
	name, where := b.registry.names[nearest], ""
	if target == onField && b.registry.Lookup("+"+name, onField) == nil && b.registry.Lookup("+"+name, onType) != nil {
		where = " on the struct of the field"
	}
	d := b.diags.Warnf(span, codeUnknownMarker, "+%s has no effect: controller-gen has no such marker; did you mean +%s%s?", m.Name, name, where)
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
