package eval

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// typePlan is what validates values of a declared type.
type typePlan struct {
	decl *model.Type
	// base validates the type that this one is declared from; nil where that has
	// nothing to validate.
	base *typePlan
	// own is the rules of the type, and of the values in a list or map.
	own    *body
	fields []*fieldPlan
}

// fieldPlan is what validates a field of a struct.
type fieldPlan struct {
	*model.Field
	body *body
}

// body is the rules of a place in the order in which they run.
type body struct {
	place *rule.Place
	// first is the default cohort, which decides whether the others run.
	first  cohort
	others []cohort
	// takesNil is set where a rule that stops nothing runs for a nil pointer.
	takesNil bool
	// call validates the value by its type.
	call *typePlan
	// writes is the field of a value that has no type to validate by where JSON leaves
	// the field out.
	writes *model.Field
}

// cohort is a group of rules within which a failing rule stops the others.
type cohort struct {
	name string
	// shorts stop the others with an error, guards without one, and stopping are
	// shorts about each value or key.
	shorts, guards []*check
	stopping       loops
	// rest stops nothing, nor does each, which is about each value or key.
	rest []*check
	each loops
}

// check is a rule, ready to run.
type check struct {
	rule.Rule
	place *rule.Place
	// level is the level of the errors that it reports.
	level rule.Level
	// takesNil is set on a rule that runs for a nil pointer, reads on one that
	// stops others and needs the value behind the pointer.
	takesNil, reads bool
	operand
	// inside is the rules of a part, or of an item of a list.
	inside *body
	// modes are the rules of each mode, in the order of the rule's cases, and those
	// of any other mode.
	modes     []*body
	otherwise *body
	// field is the type of the field that a part or modes are about.
	field *goType
}

// loops are the loops over a list or map that rules ask for: one for all rules
// that always apply, and one for each that has a condition.
type loops struct {
	always *loop
	when   []*loop
}

// loop is rules for the values and keys of a list or map.
type loop struct {
	// Rule is the rule of a loop under a condition.
	Rule rule.Rule
	// id is how the items of a list are paired with old ones.
	id           *identity
	keys, values *body
}

// planOf returns the plan of a type that has something to validate.
func (s *Set) planOf(t *model.Type) *typePlan {
	if plan, ok := s.plans[t.ID()]; ok {
		return plan
	}
	plan := &typePlan{decl: t}
	s.plans[t.ID()] = plan
	program := s.programs.Of(t)
	opaque := program.Place.Opaque
	if t.Def.Kind == model.KindNamed && !opaque {
		if base := s.model.Type(t.Def.ID()); base != nil && s.needs.typ(base) {
			plan.base = s.planOf(base)
		}
	}
	rules := slices.Clone(s.typeRules(t))
	for _, f := range t.Fields {
		if s.reachable(f, t) {
			rules = append(rules, s.fieldRules(t, f).Around...)
		}
	}
	// The validator of the type that a type is declared from looks at the values.
	values := !t.IsStruct() && t.Def.Kind != model.KindNamed && !opaque
	plan.own = s.bodyOf(program.Place, rules, nil, values)
	if opaque {
		return plan
	}
	for _, f := range t.Fields {
		if !s.reachable(f, t) {
			continue
		}
		if body := s.fieldBody(t, f); body != nil {
			plan.fields = append(plan.fields, &fieldPlan{Field: f, body: body})
		}
	}
	return plan
}

// fieldBody returns what validates a field, nil for nothing.
func (s *Set) fieldBody(t *model.Type, f *model.Field) *body {
	told := s.fieldRules(t, f)
	rules, below := told.Rules, s.needs.below(told.Place)
	if len(rules) > 0 || below {
		absent := s.programs.NoNils(told.Place)
		s.declare(absent, f)
		rules = slices.Concat(absent, rules)
	}
	if !below && !effective(rules) {
		return nil
	}
	return s.placeBody(told.Place, rules, below)
}

// declare makes a field the declaration of rules that no tag declares.
func (s *Set) declare(rules []rule.Rule, f *model.Field) {
	for i := range rules {
		rules[i].Span = f.Span
		if each, ok := rules[i].Must.(*rule.Each); ok {
			s.declare(each.Rules, f)
		}
	}
}

// placeBody returns the rules of a place, with what its type says of the value.
func (s *Set) placeBody(p *rule.Place, rules []rule.Rule, below bool) *body {
	if !below {
		return s.bodyOf(p, rules, nil, false)
	}
	if r := p.Value(s.model); r.Kind == model.KindNamed {
		if t := s.model.Type(r.ID()); t != nil && s.needs.typ(t) && s.needs.called(t) {
			b := s.bodyOf(p, rules, s.planOf(t), false)
			if s.programs.OnlyAuthored(t) {
				b.writes = s.programs.At(p)
			}
			return b
		}
	}
	return s.bodyOf(p, rules, nil, true)
}

// bodyOf puts the rules of a place in order. The loop over the values of a list
// or map has what their types say if values is set.
func (s *Set) bodyOf(p *rule.Place, rules []rule.Rule, call *typePlan, values bool) *body {
	b := &body{place: p, call: call}
	for i, group := range split(join(inherit(rules, nil))) {
		c := s.cohortOf(p, group, values && i == 0)
		b.takesNil = b.takesNil || slices.ContainsFunc(c.rest, func(c *check) bool { return c.takesNil })
		if i == 0 {
			b.first = c
		} else {
			b.others = append(b.others, c)
		}
	}
	return b
}

// split groups rules by cohort: the default one first, even when it is empty, the
// others in order of first appearance.
func split(rules []rule.Rule) [][]rule.Rule {
	groups, names := [][]rule.Rule{nil}, []string{""}
	for _, r := range rules {
		i := slices.Index(names, r.Cohort)
		if i < 0 {
			i = len(names)
			groups, names = append(groups, nil), append(names, r.Cohort)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func (s *Set) cohortOf(p *rule.Place, rules []rule.Rule, values bool) cohort {
	var c cohort
	var stopping, each []rule.Rule
	for _, r := range rules {
		_, isEach := r.Must.(*rule.Each)
		switch {
		case !rule.Checks(r.Must):
		case isEach && r.Effect == rule.Stop:
			stopping = append(stopping, r)
		case isEach:
			each = append(each, r)
		case r.Effect == rule.Guard:
			c.guards = append(c.guards, s.checkOf(p, r))
		case r.Effect == rule.Stop:
			c.shorts = append(c.shorts, s.checkOf(p, r))
		default:
			c.rest = append(c.rest, s.checkOf(p, r))
		}
	}
	if len(rules) > 0 {
		c.name = rules[0].Cohort
	}
	c.stopping = s.loopsOf(p, stopping, false)
	c.each = s.loopsOf(p, each, values)
	return c
}

// loopsOf returns the loops for rules about values and keys.
func (s *Set) loopsOf(p *rule.Place, rules []rule.Rule, values bool) loops {
	var always []rule.Rule
	var l loops
	for _, r := range rules {
		if len(rule.Options(r.Under)) > 0 {
			if one := s.loopOf(p, []rule.Rule{r}, false); one != nil {
				one.Rule = r
				l.when = append(l.when, one)
			}
			continue
		}
		always = append(always, r)
	}
	l.always = s.loopOf(p, always, values)
	return l
}

// loopOf returns one loop for rules about values and keys, and for what the types
// of these say if values is set; nil for nothing.
func (s *Set) loopOf(p *rule.Place, rules []rule.Rule, values bool) *loop {
	var keys, vals []rule.Rule
	for _, r := range rules {
		each, _ := r.Must.(*rule.Each)
		inner := inherit(each.Rules, levels(r.Under))
		if each.Keys {
			keys = append(keys, inner...)
		} else {
			vals = append(vals, inner...)
		}
	}
	byTag := func(a, b rule.Rule) int { return strings.Compare(a.Tag, b.Tag) }
	slices.SortStableFunc(keys, byTag)
	slices.SortStableFunc(vals, byTag)
	u := p.Underlying(s.model)
	if u.Kind != model.KindSlice && (u.Kind != model.KindMap || !s.programs.StringKeys(u)) {
		return nil
	}
	elem := s.programs.Elem(p)
	l := &loop{id: identityOf(p)}
	if below := values && s.needs.below(elem); below || len(vals) > 0 {
		if u.Kind == model.KindSlice {
			elem = s.behind(elem)
		}
		l.values = s.placeBody(elem, vals, below)
	}
	if u.Kind == model.KindMap {
		key := s.programs.Key(p)
		if below := values && s.needs.below(key); below || len(keys) > 0 {
			l.keys = s.placeBody(key, keys, below)
		}
	}
	if l.keys == nil && l.values == nil {
		return nil
	}
	return l
}

// behind returns the place of what a pointer at a place points to.
func (s *Set) behind(p *rule.Place) *rule.Place {
	if !p.IsPointer(s.model) {
		return p
	}
	out := *p
	out.Type = p.Value(s.model)
	return &out
}
