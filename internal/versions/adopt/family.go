// Package adopt proposes the change markers that regenerate existing hand-written older versions of an
// API from its newest version, and compares what they would generate with what exists.
//
// [Families] finds the versions of an API, an [Adoption] has the proposed markers, and a [Prover] runs the conversions.
// Differences are diagnostics with the codes of [Codes].
//
// It begins with the markers that the newest version has. For each older version, the newest first,
// it computes what would be generated and compares it with the hand-written types. Each difference
// gives a marker, which the versions before then build on. What differs at the end stays
// hand-written. So proposals and proof are one comparison.
//
// Random objects run through the existing functions, in a program of package goprogram, and through the
// tables of package convert. strip.go removes from the sources, in an overlay, what generate then writes.
package adopt

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
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

// next returns the version after an older one: that of a hand-written package, of those that counts returns or all, or one that
// the newest version declares, which may be generated.
func (f *Family) next(version string, counts func(*model.Package) bool) string {
	next := f.Hub.Version
	note := func(name string) {
		if model.CompareVersions(name, version) > 0 && model.CompareVersions(name, next) < 0 {
			next = name
		}
	}
	for _, v := range f.Hub.Versions {
		note(v.Name)
	}
	for _, p := range f.Older {
		if counts == nil || counts(p) {
			note(p.Version)
		}
	}
	return next
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
