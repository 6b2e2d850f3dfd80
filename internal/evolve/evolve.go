// Package evolve computes older API versions from the newest one.
//
// An author writes the newest version and marks what changed and when. From
// the markers this package works out what every type looked like in every
// older version, and adds a package for each to the model. A package of an
// older version that the author wrote by hand is left as it is, and paired
// with the newest.
//
// Everything that an emitter needs to convert between a version and the newest
// is in the model afterwards: no emitter interprets a change marker's rules.
package evolve

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Project adds the older versions of every root package that declares
// versions, checks the change markers, and unwraps since and until where they
// stand in the newest version. What authors wrote into the
// folders of older versions is read from files. Packages that were projected before are left alone.
func Project(m *model.Model, files *source.FS, bag *diag.Bag) {
	m.Index()
	for _, p := range slices.Clone(m.Packages) {
		if p.Root && p.Hub == "" && len(p.Versions) > 0 && !projected(m, p) {
			projectHub(m, files, bag, p)
		}
	}
	for _, p := range m.Packages {
		if p.Root && !p.Generated && len(p.Versions) == 0 {
			checkStray(p, bag)
		}
	}
	m.Index()
}

// projected reports whether the package's older versions are in the model already.
func projected(m *model.Model, p *model.Package) bool {
	return slices.ContainsFunc(m.Packages, func(q *model.Package) bool { return q.Hub == p.Path })
}

func projectHub(m *model.Model, files *source.FS, bag *diag.Bag, p *model.Package) {
	versions, ok := checkVersions(p, bag)
	h := &hub{m: m, files: files, bag: bag, pkg: p, versions: versions, index: map[string]int{}, histories: map[any]*history{}}
	for i, v := range versions {
		h.index[v.Name] = i
	}
	h.readHistories()
	h.checkNames()
	h.checkEnums()
	h.checkDefaults()
	if !ok {
		return
	}
	h.checkLossy()
	for v := range len(versions) - 1 {
		h.project(v)
	}
	h.unwrapHub()
}

// hub is a newest version under work.
type hub struct {
	m     *model.Model
	files *source.FS
	bag   *diag.Bag
	pkg   *model.Package
	// versions are in the order in which they appeared, the package's own last.
	versions []*model.Version
	index    map[string]int
	// histories are by *model.Type, *model.Field and *model.Const.
	histories map[any]*history
}

// newest is the index of the package's own version.
func (h *hub) newest() int { return len(h.versions) - 1 }

// checkStray reports change markers in a package that declares no versions.
func checkStray(p *model.Package, bag *diag.Bag) {
	report := func(changes []*model.Change) {
		for _, c := range changes {
			if p.Hub != "" {
				bag.Errorf(c.Span, codeNotNewest, "changes are marked in the newest version, %s; remove the marker here", p.Hub)
				continue
			}
			bag.Errorf(c.Span, codeUndeclared,
				"package %s declares no versions; write +versioned:version(name: …) above its clause for each, oldest first", p.Name)
		}
	}
	for _, t := range p.Types {
		report(t.Changes)
		for _, f := range t.Fields {
			report(f.Changes)
		}
		for _, c := range t.Consts {
			report(c.Changes)
		}
	}
}
