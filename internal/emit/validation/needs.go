package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// needs answers whether values of a type have anything to validate, themselves
// or somewhere below.
type needs struct {
	c        *emit.Context
	programs *rule.Programs
	known    map[model.Name]bool
	// open are types under examination: a cycle adds nothing by itself.
	open map[model.Name]bool
}

func (n *needs) typ(t *model.Type) bool {
	id := t.ID()
	if v, ok := n.known[id]; ok {
		return v
	}
	if n.open[id] {
		return false
	}
	outermost := len(n.open) == 0
	n.open[id] = true
	v := n.examine(t)
	delete(n.open, id)
	// Below another type under examination "no" may be for want of an answer
	// about that one; only "yes" is final there.
	if v || outermost {
		n.known[id] = v
	}
	return v
}

func (n *needs) examine(t *model.Type) bool {
	if t.Generic || emit.IsMetadata(n.c.Model, t, n.c.Package) {
		return false
	}
	program := n.programs.Of(t)
	if n.any(t, program.Rules) {
		return true
	}
	if program.Place.Opaque {
		return false
	}
	if !t.IsStruct() {
		return n.inside(t)
	}
	for _, f := range t.Fields {
		if !reachable(f, t, n.c.Package) {
			continue
		}
		of := n.programs.Field(t, f)
		if n.any(t, of.Rules) || n.any(t, of.Around) || n.below(of.Place) || n.nils(t, of) {
			return true
		}
	}
	return false
}

// inside reports whether what a type that is not a struct is declared from has
// anything to validate.
func (n *needs) inside(t *model.Type) bool {
	if t.Def.Kind == model.KindSlice || t.Def.Kind == model.KindMap {
		return n.values(n.programs.Of(t).Place)
	}
	return n.below(n.programs.ValueOf(t.Def))
}

// own reports whether the type's own declarations have rules that are not
// about the values below.
func (n *needs) own(t *model.Type) bool {
	program := n.programs.Of(t)
	if n.any(t, program.Rules) {
		return true
	}
	if t.Def.Kind == model.KindNamed && !program.Place.Opaque {
		if base := n.c.Model.Type(t.Def.ID()); base != nil {
			return n.own(base)
		}
	}
	return slices.ContainsFunc(program.Rules, func(r rule.Rule) bool {
		switch r.Must.(type) {
		case *rule.ListType, *rule.Unique:
			return true
		}
		return false
	})
}

// rules returns the rules of a type's tags that validators of the package have.
func (n *needs) rules(owner *model.Type, rules []rule.Rule) []rule.Rule {
	var kept []rule.Rule
	for _, r := range rules {
		if !emit.IsForeignAlpha(n.c.Model, owner, r, n.c.Package) {
			kept = append(kept, r)
		}
	}
	return checking(kept)
}

// checking leaves out what says nothing to validators, such as that a list is
// atomic.
func checking(rules []rule.Rule) []rule.Rule {
	var kept []rule.Rule
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *rule.Each:
			in := *must
			in.Rules = checking(must.Rules)
			r.Must = &in
		case *rule.Part:
			in := *must
			in.Rules = checking(must.Rules)
			r.Must = &in
		case *rule.Item:
			in := *must
			in.Rules = checking(must.Rules)
			r.Must = &in
		case *rule.Modes:
			kept = append(kept, r)
			continue
		default:
			if rule.Checks(r.Must) {
				kept = append(kept, r)
			}
			continue
		}
		if len(rule.Below(r.Must)) > 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

func (n *needs) any(owner *model.Type, rules []rule.Rule) bool {
	return effective(n.rules(owner, rules))
}

// nils reports whether a field is not to have nil items: where there is any rule
// on it, even one that reports nothing.
func (n *needs) nils(owner *model.Type, of rule.FieldRules) bool {
	return len(n.programs.NoNils(of.Place)) > 0 && len(n.rules(owner, of.Rules)) > 0
}

// below reports whether the type of a place has anything to validate in values
// there. Tags at the place can say that it is opaque.
func (n *needs) below(place *rule.Place) bool {
	if place.Opaque {
		return false
	}
	if r := place.Value(n.c.Model); r.Kind == model.KindNamed {
		t := n.c.Model.Type(r.ID())
		if t == nil || !n.typ(t) {
			return false
		}
		if n.called(t) {
			return true
		}
	}
	return n.values(place)
}

// reaches reports whether validating a place can come to the validator of a
// declared type.
func (n *needs) reaches(place *rule.Place, t *model.Type) bool {
	return n.search(place, t, map[model.Name]bool{})
}

func (n *needs) search(place *rule.Place, t *model.Type, seen map[model.Name]bool) bool {
	if !n.below(place) {
		return false
	}
	if r := place.Value(n.c.Model); r.Kind == model.KindNamed {
		at := n.c.Model.Type(r.ID())
		if at == t && n.called(t) {
			return true
		}
		if seen[r.ID()] {
			return false
		}
		seen[r.ID()] = true
		if at.Def.Kind == model.KindNamed && n.search(n.programs.ValueOf(at.Def), t, seen) {
			return true
		}
		for _, f := range at.Fields {
			if reachable(f, at, n.c.Package) && n.search(n.programs.Field(at, f).Place, t, seen) {
				return true
			}
		}
	}
	switch place.Underlying(n.c.Model).Kind {
	case model.KindSlice, model.KindMap:
		return n.search(n.programs.Elem(place), t, seen)
	}
	return false
}

// called reports whether values of a type that has something to validate are
// left to its validator. A list type without rules of its own takes those of
// the field: how its items are paired is said there.
func (n *needs) called(t *model.Type) bool {
	return n.c.Model.Struct(model.Named(t.Package, t.Name)) != nil || n.own(t)
}

// values is below for the values and keys at a place.
func (n *needs) values(place *rule.Place) bool {
	switch u := place.Underlying(n.c.Model); u.Kind {
	case model.KindSlice:
		return n.below(n.programs.Elem(place))
	case model.KindMap:
		return n.programs.StringKeys(u) && (n.below(n.programs.Key(place)) || n.below(n.programs.Elem(place)))
	}
	return false
}

// reachable reports whether the generated package can get at a field.
func reachable(f *model.Field, t *model.Type, p *model.Package) bool {
	return !f.Skipped && (f.Exported() || t.Package == p.Path)
}
