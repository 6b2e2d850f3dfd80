// Package evolve computes older API versions from the newest one.
//
// [Project] takes a model with the newest versions, and returns one with all. Mistakes in markers are diagnostics with the
// codes of [Codes].
//
// Authors write the newest version and mark changes. From the markers this package computes the
// types of every older version, and adds a package for each version to the model. A hand-written
// package of an older version is unchanged and paired with the newest.
//
// The model then has all information for conversions: no emitter interprets change markers.
//
// Generated and hand-written versions are alike for later stages. The arguments of tags are renamed only
// through their references.
package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Project returns a model with the older versions of every root package that declares versions. It
// unwraps since and until and checks the change markers. It reads the hand-written files of older
// versions. Packages that are already projected do not change. The given model does not change;
// both models share what is equal.
func Project(m *model.Model, tags *tag.Set, files *source.FS, bag *diag.Bag) *model.Model {
	m = clone(m)
	beside := join(m)
	for _, p := range slices.Clone(m.Packages) {
		if p.Root && p.Hub == "" && len(p.Versions) > 0 && !projected(m, p) {
			projectHub(m, tags, files, bag, p)
		}
	}
	for _, p := range m.Packages {
		switch {
		case len(p.Versions) == 0 && !p.Generated && (p.Root || !p.Companion):
			checkStray(p, tags, bag)
		case p.Root && !p.Generated:
			checkBeside(m, p, tags, bag)
		}
	}
	for _, p := range m.Packages {
		if slices.ContainsFunc(beside, func(hub *model.Package) bool { return p == hub || p.Hub == hub.Path }) {
			p.Root = false
		}
	}
	m.Freeze()
	return m
}

// join makes roots of all versions of an API of which a root is one. Those that no pattern names remain companions. It
// returns the newest versions of APIs of which no version is named, whose older versions are needed for kinds that a root
// has too.
func join(m *model.Model) (beside []*model.Package) {
	for _, p := range m.Packages {
		if len(p.Versions) == 0 || !p.Root && !p.Companion {
			continue
		}
		named := p.Root
		p.Root = true
		for _, q := range m.Packages {
			if isOlder(p, q) && (q.Root || q.Companion) {
				named = named || q.Root
				q.Root = true
			}
		}
		if !named {
			beside = append(beside, p)
		}
	}
	return beside
}

// isOlder reports whether a package is in the folder of an older version.
func isOlder(p, q *model.Package) bool {
	return p != q && (q.Group == p.Group || q.Group == "") &&
		slices.ContainsFunc(p.Versions, func(v *model.Version) bool { return q.Path == p.OlderPath(v.Name) })
}

// projected reports whether the model already has the package's older versions.
func projected(m *model.Model, p *model.Package) bool {
	return slices.ContainsFunc(m.Packages, func(q *model.Package) bool { return q.Hub == p.Path })
}

func projectHub(m *model.Model, tags *tag.Set, files *source.FS, all *diag.Bag, p *model.Package) {
	bag := &diag.Bag{}
	defer func() {
		for _, d := range bag.All() {
			all.Add(d)
			p.Mistaken = p.Mistaken || d.Severity == diag.Error && !slices.Contains(codesOfOne, d.Code)
		}
	}()
	versions, ok := checkVersions(p, tags, bag)
	h := &evolver{m: m, tags: tags, files: files, bag: bag, pkg: p, versions: versions, index: map[string]int{}, histories: map[any]*history{}, former: map[*model.Type][]*model.Field{}, entries: map[*model.Type][]*model.Field{}, left: map[*model.Type][]*model.Field{}}
	for i, v := range versions {
		h.index[v.Name] = i
	}
	h.readHistories()
	h.readMoves()
	h.readHooks()
	h.checkNames()
	h.checkEnums()
	if !ok {
		h.checkDefaults()
		return
	}
	for v := range len(versions) - 1 {
		h.project(v)
	}
	h.checkDefaults()
	h.unwrapHub()
	p.Tags = slices.Concat(p.Tags, h.skips(h.newest()))
	for _, q := range m.Packages {
		for _, t := range q.Types {
			if q.Generated && t.Hub != nil && t.Hub.Package == p.Path {
				tag.ResolveType(m, tags, t)
			}
		}
	}
}

// evolver has a newest version whose older versions are computed.
type evolver struct {
	m     *model.Model
	tags  *tag.Set
	files *source.FS
	bag   *diag.Bag
	pkg   *model.Package
	// versions are in chronological order, the package's own last.
	versions []*model.Version
	index    map[string]int
	// histories are by *model.Type, *model.Field and *model.Const.
	histories map[any]*history
	// former are the fields that only older versions of a struct have.
	former map[*model.Type][]*model.Field
	// entries are the labels and annotations of kinds that are fields in later versions.
	entries map[*model.Type][]*model.Field
	// left are the fields of kinds that are labels and annotations in later versions.
	left map[*model.Type][]*model.Field
	// common are the types of the newest version that the older one that is projected uses.
	common map[*model.Type]bool
}

// name returns the name of the tag with a role, for messages.
func (h *evolver) name(role model.Role) string { return h.tags.WithRole(role) }

// newest is the index of the package's own version.
func (h *evolver) newest() int { return len(h.versions) - 1 }

// checkStray reports markers about versions in a package that declares no versions, where they have no effect.
func checkStray(p *model.Package, tags *tag.Set, bag *diag.Bag) {
	report := func(span source.Span, name string) {
		switch {
		case p.Hub != "":
			bag.Errorf(span, codeNotNewest, "only the newest version, %s, has change markers; remove this one", p.Hub)
		case p.External && !p.Root:
			bag.Warnf(span, codeShared, "+%s has no effect: package %s is not the newest version of an API", name, p.Path)
		case p.Root && p.Version != "":
			bag.Errorf(span, codeUndeclared,
				"package %s declares no versions; add +%s(name: …) above the package clause for each, oldest first", p.Name, tags.WithRole(model.RoleVersion)).
				RestsOn(tag.DeclaredVersions(p)...).Voids(tag.VersionsOf(p))
		default:
			bag.Errorf(span, codeShared, "+%s has no effect: package %s is not the newest version of an API, and all versions use its types as they are; declare the type in the API's package, or remove the marker",
				name, p.Name)
		}
	}
	check := func(changes []model.Change, tags []*model.Tag) {
		for _, c := range changes {
			report(c.Base().Span, c.Base().Tag.Name)
		}
		for _, c := range tags {
			if c.Is(model.RoleSince, model.RoleUntil) {
				report(c.Span, c.Name)
			}
		}
	}
	for _, t := range p.Types {
		check(t.Changes, t.Tags)
		for _, f := range t.Fields {
			check(f.Changes, f.Tags)
		}
		for _, c := range t.Consts {
			check(c.Changes, c.Tags)
		}
	}
}
