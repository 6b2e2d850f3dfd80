// Package order decides the order in which validators run rules.
//
// [New] takes the programs and a [Scope], and the [Set] has the [Body] of each type.
//
// It puts the programs of types in the order in which the generated validators of a package check
// them: cohort by cohort, what stops others first, one loop over a list for all rules about its
// items. emit/validation prints that order, and the evaluator and lists of rules follow it.
package order

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Set has the ordered rules of a model's types. It orders a type on its first use.
type Set struct {
	Scope
	Programs *rule.Programs
	types    map[key]*Type
	// needed has the answers of Needed.
	needed fixpoint.Question[model.Name]
}

// New returns the ordered rules of a model's types, for validators with a scope.
func New(programs *rule.Programs, scope Scope) *Set {
	return &Set{Scope: scope, Programs: programs, types: map[key]*Type{}}
}

// key identifies a type, and the paths of fields that its values lack.
type key struct {
	name model.Name
	less string
}

// Use is a type at one place. The object around an inlined struct may have fields that hide some of the
// struct's: JSON lacks these, so they have no rules.
type Use struct {
	*model.Type
	// Less are the paths of the hidden fields, as Go names.
	Less [][]string
}

func (u Use) key() key { return key{u.ID(), u.Suffix()} }

// Suffix distinguishes the names of what is generated for a use.
func (u Use) Suffix() string {
	out := ""
	for _, path := range u.Less {
		out += "_without_" + strings.Join(path, "_")
	}
	return out
}

// below returns the hidden paths below a field of the type.
func (u Use) below(f *model.Field) [][]string {
	var less [][]string
	for _, path := range u.Less {
		if len(path) > 1 && path[0] == f.Name {
			less = append(less, path[1:])
		}
	}
	return less
}

// lacks reports whether a field of the type is hidden.
func (u Use) lacks(f *model.Field) bool {
	return slices.ContainsFunc(u.Less, func(path []string) bool { return len(path) == 1 && path[0] == f.Name })
}

// Type is the rules on values of a declared type.
type Type struct {
	Use
	// Base is the type that this one is declared from, whose rules run first; nil if it has none.
	Base *model.Type
	// Own has the rules of the type and of the values in a list or map.
	Own *Body
	// Fields are the fields of a struct with rules on them or below.
	Fields []Field
}

// Field is the rules on a field of a struct.
type Field struct {
	*model.Field
	Body *Body
}

// Body is the rules of a place.
type Body struct {
	Place *rule.Place
	// Default is the default cohort, which decides whether the others run.
	Default Cohort
	Others  []Cohort
	// Call is the type whose validator is called after the cohorts; nil for none.
	Call *Use
	// Hoisted is set on the body of an inlined pointer. A nil one stands for a zero struct, since JSON has the
	// struct's fields in the object around it.
	Hoisted bool
	// Written is set if Call applies only if JSON has the field: CEL rules do not see empty fields
	// that JSON omits.
	Written *model.Member
	// Below is set if the types of the values have rules.
	Below bool
}

// Cohort is a group of rules within which a failing rule stops the others.
type Cohort struct {
	// Shorts stop the others with an error, Guards without one. Stopping are shorts for each value
	// or key.
	Shorts, Guards []*Check
	Stopping       []Loop
	// Rest does not stop others. Each has the rules for each value or key, which do not stop
	// others.
	Rest []*Check
	Each []Loop
}

// Check is a rule that is not a loop.
type Check struct {
	rule.Rule
	Place *rule.Place
	// TakesNil is set on a rule that runs for a nil pointer too, Reads on one that
	// stops others and needs the dereferenced value.
	TakesNil, Reads bool
	// Inside has the rules of a subfield, or of a list item.
	Inside *Body
	// Modes are the rules of each mode, in the order of the rule's cases, nil for none; Otherwise
	// are the rules of other modes.
	Modes     []*Body
	Otherwise *Body
}

// Loop is rules for the values and keys of a list or map.
type Loop struct {
	// When is the rule with the conditions of the loop, which are evaluated once; nil for the loop
	// of unconditional rules.
	When *rule.Rule
	// Place is the list or map.
	Place *rule.Place
	// Keys and Values are nil if there are no rules for them. Values of a list of pointers are
	// dereferenced.
	Keys, Values *Body
}

// Of returns the rules of a type that has any.
func (s *Set) Of(t *model.Type) *Type { return s.At(Use{Type: t}) }

// At returns the rules of a type at one place.
func (s *Set) At(use Use) *Type {
	t, id := use.Type, use.key()
	if out, ok := s.types[id]; ok {
		return out
	}
	out := &Type{Use: use, Base: s.base(t)}
	s.types[id] = out
	object := s.Programs.Model.Object(t)
	opaque := s.Programs.Of(t).Place.Opaque
	rules := s.typeRules(t)
	var fields []*model.Field
	for _, f := range t.Fields {
		if s.Sees(f, t) && !use.lacks(f) && !object.Hides(f) {
			fields = append(fields, f)
			rules = append(rules, s.FieldRules(t, f).Around...)
		}
	}
	// The validator of the type that a type is declared from checks the values.
	values := !t.IsStruct() && t.Def.Kind != model.KindNamed && !opaque
	out.Own = s.body(s.Programs.Of(t).Place, rules, values)
	if opaque {
		return out
	}
	for _, f := range fields {
		if b := s.Field(t, f); b != nil {
			if f.Inline && b.Call != nil {
				b.Call.Less = append(object.HiddenBelow(f), use.below(f)...)
				b.Hoisted = b.Place.IsPointer(s.Programs.Model) && !s.recursive(f)
			}
			out.Fields = append(out.Fields, Field{f, b})
		}
	}
	return out
}

// base returns the declared type that a type is declared from, if it has rules.
func (s *Set) base(t *model.Type) *model.Type {
	if t.Def.Kind != model.KindNamed || s.Programs.Of(t).Place.Opaque {
		return nil
	}
	if base := s.Programs.Model.Type(t.Def.ID()); base != nil && s.Needed(base) {
		return base
	}
	return nil
}

// Field returns the rules of a field, nil for none.
func (s *Set) Field(t *model.Type, f *model.Field) *Body {
	of := s.FieldRules(t, f)
	rules, below := of.Rules, s.Below(of.Place)
	if len(rules) > 0 || below {
		rules = slices.Concat(declared(s.Programs.NoNils(of.Place), f), rules)
	}
	if !below && !effective(rules) {
		return nil
	}
	if s.absent(of.Place, rules, below) {
		rules = slices.Concat([]rule.Rule{{Effect: rule.Guard, Must: &rule.IsSet{}}}, rules)
	}
	return s.called(of.Place, rules, below)
}

// absent reports whether a field is a struct that JSON lacks if it is zero, and no rule of its own says whether it must
// be set. CEL rules ask for that by themselves.
func (s *Set) absent(p *rule.Place, rules []rule.Rule, below bool) bool {
	if p.Unset != model.LackZero || p.Underlying(s.Programs.Model).Kind != model.KindStruct {
		return false
	}
	asks := func(r rule.Rule) bool {
		switch r.Must.(type) {
		case *rule.Required, *rule.IsSet, *rule.Forbidden:
			return true
		}
		return false
	}
	other := func(r rule.Rule) bool { _, authored := r.Must.(*rule.CEL); return !authored }
	return !slices.ContainsFunc(rules, asks) && (below || slices.ContainsFunc(rules, other))
}

// recursive reports whether a struct inlines itself through a field.
func (s *Set) recursive(f *model.Field) bool {
	seen := map[model.Name]bool{}
	var visit func(f *model.Field) bool
	visit = func(f *model.Field) bool {
		t := s.Programs.Model.Inlined(f)
		if t == nil {
			return false
		}
		if seen[t.ID()] {
			return true
		}
		seen[t.ID()] = true
		return slices.ContainsFunc(t.Fields, visit)
	}
	return visit(f)
}

// declared sets a field as the declaration of rules without a tag.
func declared(rules []rule.Rule, f *model.Field) []rule.Rule {
	for i := range rules {
		rules[i].Span = f.Span
		rules[i].Must = rule.Within(rules[i].Must, func(rules []rule.Rule) []rule.Rule { return declared(rules, f) })
	}
	return rules
}

// called returns the rules of a place and, with below, those of its type.
func (s *Set) called(p *rule.Place, rules []rule.Rule, below bool) *Body {
	t := s.Programs.Model.Type(p.Value(s.Programs.Model).ID())
	if !below || t == nil || !s.Needed(t) || !s.calls(t) {
		return s.body(p, rules, below)
	}
	b := s.body(p, rules, false)
	b.Call, b.Below = &Use{Type: t}, true
	if s.Programs.OnlyAuthored(t) {
		b.Written = s.Programs.At(p)
	}
	return b
}

// body orders the rules of a place. If values is set, the loop over the values of a list or map
// includes the rules of their types.
func (s *Set) body(p *rule.Place, rules []rule.Rule, values bool) *Body {
	b := &Body{Place: p, Below: values}
	for i, group := range split(join(rules)) {
		c := s.cohort(p, group, values && i == 0)
		if i == 0 {
			b.Default = c
		} else {
			b.Others = append(b.Others, c)
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

func (s *Set) cohort(p *rule.Place, rules []rule.Rule, values bool) Cohort {
	var c Cohort
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
			c.Guards = append(c.Guards, s.check(p, r))
		case r.Effect == rule.Stop:
			c.Shorts = append(c.Shorts, s.check(p, r))
		case effective([]rule.Rule{r}):
			c.Rest = append(c.Rest, s.check(p, r))
		}
	}
	c.Stopping = s.loops(p, stopping, false)
	c.Each = s.loops(p, each, values)
	return c
}

func (s *Set) check(p *rule.Place, r rule.Rule) *Check {
	c := &Check{Rule: r, Place: p}
	inside := func(of *rule.Place, rules []rule.Rule) *Body {
		if !effective(rules) {
			return nil
		}
		return s.body(of, within(r, rules), false)
	}
	switch m := r.Must.(type) {
	case *rule.Limit, *rule.NoNils:
		c.Reads = true
	case *rule.Update:
		c.Reads = m.Forbids == rule.NoAddItem || m.Forbids == rule.NoRemoveItem
	case *rule.Call, *rule.Fixed:
		c.TakesNil = r.Effect == rule.Report
	case *rule.Part:
		c.Inside = s.body(m.Place, slices.Concat(within(r, m.Rules), m.Unless), false)
	case *rule.Item:
		c.Inside = inside(m.Place.Behind(s.Programs.Model), m.Rules)
	case *rule.Modes:
		for _, mode := range m.Cases {
			c.Modes = append(c.Modes, inside(m.Place, mode.Rules))
		}
		c.Otherwise = inside(m.Place, m.Otherwise)
	}
	return c
}

// loops returns the loops for rules about values and keys: one for those that always
// apply, then one for each that has a condition.
func (s *Set) loops(p *rule.Place, rules []rule.Rule, values bool) []Loop {
	var all []Loop
	var always []rule.Rule
	add := func(when *rule.Rule, rules []rule.Rule, values bool) {
		if l := s.loop(p, rules, values); l.Keys != nil || l.Values != nil {
			l.When = when
			all = append(all, l)
		}
	}
	for _, r := range rules {
		if Always(&r) {
			always = append(always, r)
		}
	}
	add(nil, always, values)
	for _, r := range rules {
		if !Always(&r) {
			add(&r, []rule.Rule{r}, false)
		}
	}
	return all
}

func (s *Set) loop(p *rule.Place, rules []rule.Rule, values bool) Loop {
	var keys, vals []rule.Rule
	for _, r := range rules {
		each, _ := r.Must.(*rule.Each)
		if each.Keys {
			keys = append(keys, within(r, each.Rules)...)
		} else {
			vals = append(vals, within(r, each.Rules)...)
		}
	}
	u := p.Underlying(s.Programs.Model)
	isMap := u.Kind == model.KindMap
	if u.Kind != model.KindSlice && (!isMap || !s.Programs.StringKeys(u)) {
		return Loop{}
	}
	elem := s.Programs.Elem(p)
	below := values && s.Below(elem)
	if !isMap {
		elem = elem.Behind(s.Programs.Model)
	}
	l := Loop{Place: p, Values: s.turn(elem, vals, below)}
	if isMap {
		key := s.Programs.Key(p)
		l.Keys = s.turn(key, keys, values && s.Below(key))
	}
	return l
}

// turn returns the body of a loop, nil for none.
func (s *Set) turn(p *rule.Place, rules []rule.Rule, below bool) *Body {
	if !below && !slices.ContainsFunc(rules, checks) {
		return nil
	}
	slices.SortStableFunc(rules, func(a, b rule.Rule) int { return strings.Compare(a.Tag, b.Tag) })
	return s.called(p, rules, below)
}

// join merges the rules on one subfield, so that they are one cohort. It does not move conditional
// rules.
func join(rules []rule.Rule) []rule.Rule {
	var out []rule.Rule
	for _, r := range rules {
		i := slices.IndexFunc(out, func(o rule.Rule) bool { return samePart(&o, &r) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		first := out[i]
		out[i].Under = nil // each keeps its levels
		out[i].Must = rule.Within(first.Must, func(rules []rule.Rule) []rule.Rule {
			return slices.Concat(within(first, rules), within(r, rule.Below(r.Must)))
		})
	}
	return out
}

func samePart(a, b *rule.Rule) bool {
	if a.Cohort != b.Cohort || !Always(a) || !Always(b) {
		return false
	}
	switch x := a.Must.(type) {
	case *rule.Part:
		y, ok := b.Must.(*rule.Part)
		return ok && x.Field.Same(y.Field)
	case *rule.Item:
		y, ok := b.Must.(*rule.Item)
		return ok && slices.EqualFunc(x.Keys, y.Keys, func(a, b rule.KeyValue) bool { return a.Key.Same(b.Key) && a.Value == b.Value })
	}
	return false
}

// within returns the rules in a rule: with its levels, which mark their errors too, and with its
// last version.
func within(r rule.Rule, below []rule.Rule) []rule.Rule {
	levels := slices.DeleteFunc(slices.Clone(r.Under), rule.Condition.IsOption)
	out := slices.Clone(below)
	for i := range out {
		out[i].Under = slices.Concat(levels, out[i].Under)
		out[i].Until = cmp.Or(out[i].Until, r.Until)
	}
	return out
}

// Always reports whether a rule applies to all requests.
func Always(r *rule.Rule) bool {
	return len(rule.Options(r.Under)) == 0 && len(r.Unless) == 0 && r.Moment == rule.Always
}

// Reports reports whether a cohort has rules besides those that can stop it.
func (c *Cohort) Reports() bool { return len(c.Rest)+len(c.Each) > 0 }

// EnsuresSet reports whether a cohort continues only if the value is set.
func (c *Cohort) EnsuresSet() bool {
	return slices.ContainsFunc(slices.Concat(c.Shorts, c.Guards), func(c *Check) bool {
		switch c.Must.(type) {
		case *rule.Required, *rule.IsSet:
			return len(rule.Options(c.Under))+len(c.Unless) == 0
		}
		return false
	})
}

// TakesNil reports whether a rule that stops nothing runs for a nil pointer.
func (b *Body) TakesNil() bool {
	return slices.ContainsFunc(append([]Cohort{b.Default}, b.Others...), func(c Cohort) bool {
		return slices.ContainsFunc(c.Rest, func(c *Check) bool { return c.TakesNil })
	})
}
