package jsonschema

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/words"
)

// between adds the rules that relate members of an object, or that are CEL, as far as JSON Schema can express them. What it cannot
// express is left out, so the schema refuses nothing that the rules accept.
func (p *printer) between(s object, n *fieldtree.Node) {
	add := func(r rule.Rule, holds []expr.Expr) {
		for _, e := range holds {
			if translated, ok := condition(n, e); ok && len(translated) > 0 {
				if said := words.Of(r); len(said) > 0 {
					translated["errorMessage"] = said[0]
				}
				all, _ := s["allOf"].([]any)
				s["allOf"] = append(all, translated)
			}
		}
	}
	for _, r := range n.Rules {
		if isNew(r) {
			add(r, p.holds(r.Must))
		}
	}
	for _, u := range n.Unions {
		if u.Rule.Must == nil { // of a marker
			u.Rule.Must = u.Union
		}
		if isNew(u.Rule) {
			add(u.Rule, p.union(u))
		}
	}
}

// isNew reports whether a rule applies to all new objects.
func isNew(r rule.Rule) bool {
	return len(r.Under)+len(r.Unless) == 0 && r.Effect != rule.Guard && (r.Moment == rule.Always || r.Moment == rule.OnChange)
}

// holds returns conditions that are true of all values that satisfy a predicate.
func (p *printer) holds(must rule.Predicate) []expr.Expr {
	switch must := must.(type) {
	case *rule.Dependent:
		when, then := p.isSet(must.When), p.isSet(must.Then)
		switch {
		case when == nil || then == nil:
			return nil
		case must.Forbidden:
			return []expr.Expr{implies(when, expr.Not(then))}
		}
		return []expr.Expr{implies(when, then)}
	case *rule.Modes:
		return p.modes(must)
	case *rule.CEL:
		if must.Tree.Expr != nil && !must.UsesOld() {
			return []expr.Expr{must.Tree.Expr}
		}
	}
	return nil
}

// implies is expr.Implies with a condition that stays a negation, for either.
func implies(when, then expr.Expr) expr.Expr {
	return &expr.Call{Func: expr.OpOr, Args: []expr.Expr{&expr.Call{Func: expr.OpNot, Args: []expr.Expr{when}}, then}}
}

// isSet is true if a field of self is set; nil if JSON does not say it, or if the field is below a pointer.
func (p *printer) isSet(f rule.FieldPath) expr.Expr {
	if f.Unset == model.LackNever || len(f.Through) > 0 {
		return nil
	}
	return p.programs.IsSet(expr.Self(), f)
}

// is is true if a field of self has one of some values; nil if that is not known.
func (p *printer) is(f rule.FieldPath, values []string) expr.Expr {
	if len(f.Through) > 0 || len(values) == 0 {
		return nil
	}
	at := expr.Get(expr.Self(), f.JSON)
	u := p.programs.Model.Underlying(f.Type)
	var list, all []expr.Expr
	for _, v := range values {
		switch {
		case u.IsString() && v != "":
			list = append(list, expr.Str(v))
		case u.IsBool() && v == "false": // as an absent one
			list = append(list, expr.Bool(false))
			all = append(all, expr.Not(expr.Has(expr.Self(), f.JSON)))
		case u.IsBool() && v == "true":
			list = append(list, expr.Bool(true))
		default:
			return nil
		}
	}
	return expr.Or(append(all, expr.In(at, expr.ListOf(list...)))...)
}

// union returns the conditions of a union. With the older text, the server may deduce the discriminator.
func (p *printer) union(u fieldtree.Union) (all []expr.Expr) {
	if u.Mixed || u.Discriminator != nil && u.Text == rule.Older {
		return nil
	}
	var set []expr.Expr
	selects := map[string][]string{}
	for _, m := range u.Members {
		if m.Field == nil {
			return nil // items of a list
		}
		is := p.isSet(*m.Field)
		if is == nil {
			return nil
		}
		set = append(set, is)
		selects[m.Name] = append(selects[m.Name], m.Value)
	}
	if u.Discriminator == nil {
		if u.Several {
			return []expr.Expr{expr.Or(set...)}
		}
		return undiscriminated(u.Union, set)
	}
	for i, m := range u.Members {
		first := slices.IndexFunc(u.Members, func(other rule.Member) bool { return other.Name == m.Name }) == i
		if selected := p.is(u.Discriminator.Field, selects[m.Name]); selected != nil && first {
			all = append(all, implies(set[i], selected))
		}
		if selected := p.is(u.Discriminator.Field, []string{m.Value}); selected != nil && !m.Optional {
			all = append(all, implies(selected, set[i]))
		}
	}
	return all
}

// undiscriminated returns the conditions of a union without a discriminator: a member is alone, and one is set.
func undiscriminated(u *rule.Union, set []expr.Expr) (all []expr.Expr) {
	for i := range set {
		var others []expr.Expr
		for j := range set {
			if j != i {
				others = append(others, expr.Not(set[j]))
			}
		}
		all = append(all, implies(set[i], expr.And(others...)))
	}
	if !u.ZeroOrOne {
		all = append(all, expr.Or(set...))
	}
	return all
}

// modes returns the conditions of a field that depends on another: it is forbidden or required in some modes.
func (p *printer) modes(m *rule.Modes) (all []expr.Expr) {
	set := p.isSet(m.Field)
	if set == nil {
		return nil
	}
	for _, c := range m.Cases {
		when := p.is(m.Discriminator, []string{c.Value.Text})
		if when == nil || len(c.Named) != 1 || len(c.Named[0]) > 0 {
			continue
		}
		for _, r := range c.Rules {
			if !isNew(r) {
				continue
			}
			switch must := r.Must.(type) {
			case *rule.Forbidden:
				all = append(all, implies(when, expr.Not(set)))
			case *rule.Required:
				if !must.Defaulted {
					all = append(all, implies(when, set))
				}
			}
		}
	}
	return all
}
