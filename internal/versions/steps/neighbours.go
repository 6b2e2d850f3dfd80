package steps

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// checkNeighbours reports hand-written conversions of types between versions with others in between, and versions whose skipped
// conversions cut off older ones.
func (a *API) checkNeighbours(hub *model.Package, bag *diag.Bag) {
	for i := range a.Versions {
		for j := i + 2; j < len(a.Versions); j++ {
			a.checkFar(i, j, bag)
		}
	}
	for k := range a.Versions[1:len(a.Steps)] {
		a.checkCutOff(k+1, hub, bag)
	}
}

// checkFar reports the functions between two versions that are not neighbours.
func (a *API) checkFar(i, j int, bag *diag.Bag) {
	older, newer := a.pkg(i), a.pkg(j)
	for _, t := range older.Types {
		n := a.typeAt(t, j)
		if n == nil {
			continue
		}
		for _, up := range ways {
			path := a.functions(t, i, j, up)
			from, to := older, newer
			name := model.ConversionFunc(older, t.Name, newer, n.Name)
			if !up {
				from, to = to, from
				name = model.ConversionFunc(newer, n.Name, older, t.Name)
			}
			for _, p := range []*model.Package{older, newer} {
				if fn := p.Funcs[name]; fn != nil {
					bag.Errorf(fn.Span, codeNeighbours, "%s skips versions between %s and %s, so no conversion calls it; convert between neighbours: write %s, and remove it", name, from.Name, to.Name, english.And(path))
				}
			}
		}
	}
}

// checkCutOff reports a version without generated conversions that older versions convert through.
func (a *API) checkCutOff(k int, hub *model.Package, bag *diag.Bag) {
	if !a.skips(k) || !slices.ContainsFunc(a.Versions[:k], func(v Version) bool { return !a.skips(a.order(v.Name)) }) {
		return
	}
	var missing []string
	for _, t := range a.pkg(k).Types {
		if t.Kind == nil || t.Kind.List {
			continue
		}
		for _, edge := range []int{k - 1, k} {
			o, n := a.typeAt(t, edge), a.typeAt(t, edge+1)
			if o == nil || n == nil {
				continue
			}
			for _, name := range []string{a.functions(o, edge, edge+1, true)[0], a.functions(o, edge, edge+1, false)[0]} {
				if a.pkg(edge).Funcs[name] == nil && a.pkg(edge + 1).Funcs[name] == nil {
					missing = append(missing, name)
				}
			}
		}
	}
	if len(missing) > 0 {
		bag.Errorf(spanOf(hub, a.Versions[k].Name), codeNeighbours, "%s has no conversions, and those of %s go through it; write %s, or skip the conversions of older versions too",
			a.Versions[k].Name, a.Versions[k-1].Name, english.And(missing))
	}
}

// skips reports whether the conversions of a version are not generated.
func (a *API) skips(k int) bool { return model.Skips(a.pkg(k).Tags, model.PartConversion) }

func (a *API) pkg(k int) *model.Package { return a.Model.Package(a.Versions[k].Package) }

func (a *API) order(version string) int {
	return slices.IndexFunc(a.Versions, func(v Version) bool { return v.Name == version })
}

// typeAt returns a type in another version; nil if it lacks the type.
func (a *API) typeAt(t *model.Type, k int) *model.Type {
	id := t.ID()
	if t.Hub != nil {
		id = *t.Hub
	}
	if k == len(a.Steps) {
		return a.Model.Type(id)
	}
	return a.pkg(k).PairOf(id)
}

// functions returns the names of the functions that convert a type from a version to another, through all that have the type.
func (a *API) functions(t *model.Type, older, newer int, up bool) (names []string) {
	p := a.pkg(older)
	for k := older + 1; k <= newer; k++ {
		next, q := a.typeAt(t, k), a.pkg(k)
		if next == nil {
			continue
		}
		if up {
			names = append(names, model.ConversionFunc(p, t.Name, q, next.Name))
		} else {
			names = append(names, model.ConversionFunc(q, next.Name, p, t.Name))
		}
		t, p = next, q
	}
	if !up {
		slices.Reverse(names)
	}
	return names
}

// spanOf returns what skips the conversions of a version.
func spanOf(hub *model.Package, version string) source.Span {
	for _, v := range hub.Versions {
		if v.Name == version && !v.SkipSpan.IsZero() {
			return v.SkipSpan
		}
	}
	return hub.Span
}
