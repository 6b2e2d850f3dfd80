package driver

import (
	"cmp"
	"slices"
	"sync"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// unknown has what a model does not know, because a type in the source does not compile. A stage concludes wrongly from it.
type unknown struct {
	model *model.Model
	// types are the types with a part that is unknown, at any depth.
	types map[model.Name]bool
	// places are the texts of declarations by file, in order.
	places map[*source.File][]place
	// families are the files of packages some version of which has such types.
	families map[*source.File]bool
}

// place is the text of a type, a field or a constant, with the comments above it. It begins where the previous one ends.
type place struct {
	end     int
	unknown bool
}

// unknownIn returns what a model does not know; nil if that is nothing. The bag has the errors of the packages.
func unknownIn(m *model.Model, bag *diag.Bag) *unknown {
	if !bag.HasAny(load.Codes()) {
		return nil
	}
	u := &unknown{model: m, types: map[model.Name]bool{}, places: map[*source.File][]place{}, families: map[*source.File]bool{}}
	for again := true; again; {
		again = false
		for _, p := range m.Packages {
			for _, t := range p.Types {
				if !u.types[t.ID()] && u.isIn(p, t) {
					u.types[t.ID()], again = true, true
				}
			}
		}
	}
	if len(u.types) == 0 {
		return nil
	}
	hubs := map[string]bool{}
	for _, p := range m.Packages {
		if slices.ContainsFunc(p.Types, func(t *model.Type) bool { return u.types[t.ID()] }) {
			hubs[cmp.Or(p.Hub, p.Path)] = true
		}
	}
	for _, p := range m.Packages {
		if p.Generated {
			continue // the text is the newest version's
		}
		for _, t := range p.Types {
			u.place(t)
			if hubs[cmp.Or(p.Hub, p.Path)] {
				u.families[t.Span.File] = true
			}
		}
		if hubs[cmp.Or(p.Hub, p.Path)] {
			u.families[p.Span.File] = true
		}
	}
	for _, list := range u.places {
		slices.SortStableFunc(list, func(a, b place) int { return a.end - b.end })
	}
	return u
}

// isIn reports whether a declaration has a part that is unknown. Of dependencies, a load leaves out what nothing uses.
func (u *unknown) isIn(p *model.Package, t *model.Type) bool {
	return !p.IsDependency() && (u.part(t.Def) || slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return u.part(f.Type) }))
}

// part reports whether a type expression has a part that is unknown.
func (u *unknown) part(r *model.Ref) bool {
	return r != nil && (r.Kind == model.KindInvalid || r.Kind == model.KindNamed && u.types[r.ID()] ||
		u.part(r.Elem) || u.part(r.Key) || slices.ContainsFunc(r.Args, u.part))
}

// place records the texts of a type, its fields and its constants.
func (u *unknown) place(t *model.Type) {
	add := func(unknown bool, spans ...source.Span) {
		end := 0
		for _, s := range spans {
			end = max(end, s.End)
		}
		u.places[spans[0].File] = append(u.places[spans[0].File], place{end, unknown})
	}
	if t.Span.File == nil {
		return
	}
	add(u.types[t.ID()], t.Span)
	for _, f := range t.Fields {
		add(u.part(f.Type), f.Span, f.TypeSpan, f.TagSpan)
	}
	for _, v := range t.Consts {
		add(false, v.Span)
	}
}

// aboutVersions are the codes of what is concluded from all versions of an API together.
var aboutVersions = sync.OnceValue(func() []diag.Code {
	list := slices.Concat(evolve.Codes(), steps.Codes())
	for _, e := range Emitters() {
		if e.Part&(diag.Versions|diag.Conversion|diag.RoundTrip|diag.Helpers) != 0 {
			list = append(list, e.Codes...)
		}
	}
	return list
})

// isGuess reports whether a diagnostic may be wrong, because it depends on a type that is unknown.
func (u *unknown) isGuess(d *diag.Diagnostic) bool {
	if d.Code.OfText() || d.Span.File == nil {
		return false
	}
	if u.families[d.Span.File] && slices.Contains(aboutVersions(), d.Code) {
		return true
	}
	list := u.places[d.Span.File]
	i, _ := slices.BinarySearchFunc(list, d.Span.Start, func(p place, start int) int { return cmp.Compare(p.end, start) })
	return i < len(list) && list[i].unknown
}

// guesses returns the condition for diagnostics that may be wrong, because a type in the model does not compile. The bag has
// the errors of the packages.
func guesses(bag *diag.Bag, m *model.Model) func(*diag.Diagnostic) bool {
	if u := unknownIn(m, bag); u != nil {
		return u.isGuess
	}
	return func(*diag.Diagnostic) bool { return false }
}
