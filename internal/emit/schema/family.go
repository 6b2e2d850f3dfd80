package schema

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"k8s.io/apimachinery/pkg/version"
)

// family is one kind in all its versions.
type family struct {
	group string
	kind  string
	// versions are in Kubernetes' order of priority: v2, v1, v1beta1, v1alpha1.
	versions []member
}

// member is one version of a kind.
type member struct {
	pkg     *model.Package
	typ     *model.Type
	version string
	// declared is what +versioned:version says of it; nil where nothing is versioned.
	declared *model.Version
}

// families returns the kinds that p leads. One package leads a kind, so that
// its file is written once: the newest version of versioned packages, else the
// package whose version comes first.
func families(m *model.Model, p *model.Package) []family {
	if !isAPI(p) {
		return nil
	}
	var list []family
	for _, t := range p.Types {
		if !isKind(t) {
			continue
		}
		fam := family{group: p.Group, kind: t.Name}
		for _, q := range m.Packages {
			if isAPI(q) && q.Group == p.Group {
				if other := q.Type(t.Name); other != nil && isKind(other) {
					fam.versions = append(fam.versions, member{pkg: q, typ: other, version: versionOf(q)})
				}
			}
		}
		slices.SortStableFunc(fam.versions, func(a, b member) int {
			return version.CompareKubeAwareVersionStrings(b.version, a.version)
		})
		fam.declare()
		if fam.lead().pkg == p {
			list = append(list, fam)
		}
	}
	return list
}

// declare pairs the members with the versions that their hub declares.
func (f *family) declare() {
	for _, hub := range f.versions {
		for _, v := range hub.pkg.Versions {
			for i := range f.versions {
				if f.versions[i].version == v.Name {
					f.versions[i].declared = v
				}
			}
		}
	}
}

// lead returns the member whose package writes the kind's file.
func (f *family) lead() member {
	for _, m := range f.versions {
		if len(m.pkg.Versions) > 0 && m.pkg.Hub == "" {
			return m
		}
	}
	return f.versions[0]
}

// isAPI reports whether a package's kinds are to be written: packages that are
// only depended on are not.
func isAPI(p *model.Package) bool {
	return (p.Root || p.Generated) && p.Group != "" && !hasMarker(p.Markers, foreign.Skip) && !emit.Skips(p.Constraints, "mergedCRD")
}

func isKind(t *model.Type) bool {
	return t.Kind != nil && !t.Kind.List && !t.Generic && !hasMarker(t.Markers, foreign.SkipVersion) &&
		!emit.Skips(t.Constraints, "mergedCRD")
}

// versionOf returns the API version of a package: what +versionName says, else
// the package's name.
func versionOf(p *model.Package) string {
	for _, m := range p.Markers {
		if m.Name == foreign.VersionName {
			_, name, _ := strings.Cut(m.Text, "=")
			return strings.Trim(strings.TrimSpace(withoutComment(name)), `"`)
		}
	}
	if p.Version != "" {
		return p.Version
	}
	return p.Name
}

func hasMarker(list []model.Marker, names ...string) bool {
	return slices.ContainsFunc(list, func(m model.Marker) bool { return slices.Contains(names, m.Name) })
}
