// Package adopt proposes the change markers that regenerate existing hand-written older versions of an
// API from its newest version, and compares what they would generate with what exists.
//
// It begins with the markers that the newest version has. For each older version, the newest first,
// it computes what would be generated and compares it with the hand-written types. Each difference
// gives a marker, which the versions before then build on. What differs at the end stays
// hand-written. So proposals and proof are one comparison.
package adopt

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Family is an API with hand-written versions.
type Family struct {
	// Hub is the newest version.
	Hub *model.Package
	// Older are the hand-written older versions, oldest first.
	Older []*model.Package
}

// Families returns the APIs of a model with hand-written older versions: packages beside each other, with
// names of versions, one group and a kind in common.
func Families(m *model.Model) []*Family {
	var families []*Family
	for _, p := range m.Packages {
		if !isVersion(p) || slices.ContainsFunc(m.Packages, func(q *model.Package) bool {
			return related(p, q) && model.CompareVersions(q.Version, p.Version) > 0
		}) {
			continue
		}
		f := &Family{Hub: p}
		for _, q := range m.Packages {
			if related(p, q) && slices.ContainsFunc(q.Types, func(t *model.Type) bool { return q.Decls[t.Name] && p.Type(t.Name) != nil }) {
				f.Older = append(f.Older, q)
			}
		}
		slices.SortFunc(f.Older, func(a, b *model.Package) int { return model.CompareVersions(a.Version, b.Version) })
		if len(f.Older) > 0 {
			families = append(families, f)
		}
	}
	return families
}

// isVersion reports whether a hand-written package has kinds in a version.
func isVersion(p *model.Package) bool {
	return (p.Root || p.Companion) && model.IsVersion(p.Version) && slices.ContainsFunc(p.Types, func(t *model.Type) bool {
		return isObject(t) && p.Decls[t.Name]
	})
}

// related reports whether two packages are versions of one API.
func related(p, q *model.Package) bool {
	return p != q && isVersion(q) && p.Beside(q) && p.Group == q.Group &&
		slices.ContainsFunc(q.Types, func(t *model.Type) bool {
			own := p.Type(t.Name)
			return isObject(t) && own != nil && isObject(own)
		})
}

// isObject reports whether a type is a kind, and not a list.
func isObject(t *model.Type) bool { return t.Kind != nil && !t.Kind.List }
