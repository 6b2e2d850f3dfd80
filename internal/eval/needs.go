package eval

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// needs answers whether values of a type have anything to validate, themselves or
// somewhere below.
type needs struct {
	set   *Set
	known map[model.Name]bool
	// open are types under examination: a cycle adds nothing by itself.
	open map[model.Name]bool
}

// typ reports whether values of a declared type have anything to validate.
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
	if t.Generic || n.set.isMetadata(t) {
		return false
	}
	program := n.set.programs.Of(t)
	switch {
	case effective(n.set.typeRules(t)):
		return true
	case program.Place.Opaque:
		return false
	case !t.IsStruct():
		return n.inside(t)
	}
	for _, f := range t.Fields {
		if !n.set.reachable(f, t) {
			continue
		}
		told := n.set.fieldRules(t, f)
		if effective(told.Rules) || effective(told.Around) || n.below(told.Place) {
			return true
		}
		if len(told.Rules) > 0 && len(n.set.programs.NoNils(told.Place)) > 0 {
			return true
		}
	}
	return false
}

// inside reports whether what a type that is not a struct is declared from has
// anything to validate.
func (n *needs) inside(t *model.Type) bool {
	if t.Def.Kind == model.KindSlice || t.Def.Kind == model.KindMap {
		return n.values(n.set.programs.Of(t).Place)
	}
	return n.below(n.set.programs.ValueOf(t.Def))
}

// below reports whether the type of a place has anything to validate in values
// there.
func (n *needs) below(p *rule.Place) bool {
	if p.Opaque {
		return false
	}
	if r := p.Value(n.set.model); r.Kind == model.KindNamed {
		t := n.set.model.Type(r.ID())
		if t == nil || !n.typ(t) {
			return false
		}
		if n.called(t) {
			return true
		}
	}
	return n.values(p)
}

// called reports whether values of a type that has something to validate are
// validated by the type's rules. A list type without rules of its own is
// validated where it is used, since the place says how its items are paired.
func (n *needs) called(t *model.Type) bool {
	return n.set.model.Struct(model.Named(t.Package, t.Name)) != nil || n.own(t)
}

func (n *needs) own(t *model.Type) bool {
	program := n.set.programs.Of(t)
	rules := n.set.typeRules(t)
	if effective(rules) || slices.ContainsFunc(program.Rules, isListRule) {
		return true
	}
	if t.Def.Kind == model.KindNamed && !program.Place.Opaque {
		if base := n.set.model.Type(t.Def.ID()); base != nil {
			return n.own(base)
		}
	}
	return false
}

func isListRule(r rule.Rule) bool {
	switch r.Must.(type) {
	case *rule.ListType, *rule.Unique:
		return true
	}
	return false
}

// values is below for the values and keys at a place.
func (n *needs) values(p *rule.Place) bool {
	switch u := p.Underlying(n.set.model); u.Kind {
	case model.KindSlice:
		return n.below(n.set.programs.Elem(p))
	case model.KindMap:
		return n.set.programs.StringKeys(u) && (n.below(n.set.programs.Key(p)) || n.below(n.set.programs.Elem(p)))
	}
	return false
}

// effective reports whether any of the rules can fail: guards alone say nothing.
func effective(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool {
		switch p := r.Must.(type) {
		case *rule.Each:
			return effective(p.Rules)
		case *rule.Part:
			return effective(p.Rules)
		case *rule.Item:
			return effective(p.Rules)
		}
		return r.Effect != rule.Guard && rule.Checks(r.Must)
	})
}
