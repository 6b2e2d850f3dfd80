package breaking

import (
	"math"
	"slices"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/entail"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/objects/crd"
)

// bound is a keyword that limits a number.
type bound struct {
	name string
	of   func(*props) (limit, bool)
	// lower is set for minimums: a higher one is tighter.
	lower bool
	// only returns a schema with this bound alone; nil for bounds that values of enums do not have.
	only func(s *props) *props
	// isSize is set for bounds of the size of a value.
	isSize bool
}

// limit is the value of a bound. Exclusive limits do not allow the value itself.
type limit struct {
	value     float64
	exclusive bool
}

func (l limit) String() string {
	text := strconv.FormatFloat(l.value, 'f', -1, 64)
	if l.exclusive {
		text += " (exclusive)"
	}
	return text
}

var bounds = []bound{
	{name: "minimum", lower: true, of: func(s *props) (limit, bool) { return number(s.Minimum, s.ExclusiveMinimum) }, only: func(s *props) *props { return &props{Minimum: s.Minimum, ExclusiveMinimum: s.ExclusiveMinimum} }},
	{name: "maximum", of: func(s *props) (limit, bool) { return number(s.Maximum, s.ExclusiveMaximum) }, only: func(s *props) *props { return &props{Maximum: s.Maximum, ExclusiveMaximum: s.ExclusiveMaximum} }},
	{name: "minimum length", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinLength) }, only: func(s *props) *props { return &props{MinLength: s.MinLength} }, isSize: true},
	{name: "maximum length", of: func(s *props) (limit, bool) { return atMost(s.MaxLength) }, only: func(s *props) *props { return &props{MaxLength: s.MaxLength} }, isSize: true},
	{name: "minimum number of items", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinItems) }, isSize: true},
	{name: "maximum number of items", of: func(s *props) (limit, bool) { return atMost(s.MaxItems) }, isSize: true},
	{name: "minimum number of properties", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinProperties) }, isSize: true},
	{name: "maximum number of properties", of: func(s *props) (limit, bool) { return atMost(s.MaxProperties) }, isSize: true},
}

func number(v *float64, exclusive bool) (limit, bool) {
	if v == nil {
		return limit{}, false
	}
	return limit{*v, exclusive}, true
}

func atLeast(v *int64) (limit, bool) {
	if v == nil || *v == 0 { // every value has 0 or more
		return limit{}, false
	}
	return limit{value: float64(*v)}, true
}

func atMost(v *int64) (limit, bool) {
	if v == nil {
		return limit{}, false
	}
	return limit{value: float64(*v)}, true
}

// tightest returns the bound's tightest limit in schemas that all hold.
func (b bound) tightest(all []*props) (found limit, ok bool) {
	for _, s := range all {
		if l, has := b.of(s); has && (!ok || b.tighter(l, found)) {
			found, ok = l, true
		}
	}
	return found, ok
}

// tighter reports whether x allows less than y.
func (b bound) tighter(x, y limit) bool {
	if x.value == y.value {
		return x.exclusive && !y.exclusive
	}
	return (x.value > y.value) == b.lower
}

// rule returns a limit as a rule about the values of a schema.
func (b bound) rule(l limit, s *props) expr.Expr {
	value, to := expr.Self(), expr.Double(l.value)
	if b.isSize {
		value = expr.Size(value)
	}
	if whole := int64(l.value); (b.isSize || s.Type == "integer") && float64(whole) == l.value {
		to = expr.Int(whole)
	}
	switch {
	case b.lower && l.exclusive:
		return expr.Gt(value, to)
	case b.lower:
		return expr.Ge(value, to)
	case l.exclusive:
		return expr.Lt(value, to)
	}
	return expr.Le(value, to)
}

// flattenAllOf returns the schemas that hold for a value together: its own, and those of allOf.
func flattenAllOf(s *props) []*props {
	all := []*props{s}
	for i := range s.AllOf {
		all = append(all, flattenAllOf(&s.AllOf[i])...)
	}
	return all
}

// constraint is a rule other than a bound: values must comply with all of them.
type constraint struct {
	what, text string
	// rule is nil if the text alone is compared.
	rule expr.Expr
	// optional means that the old value is an optional one, so that the rule applies to creates too.
	optional bool
	// only is a schema with this rule alone; nil for a rule about changes.
	only *props
}

func (c *constraint) usesOld() bool { return expr.Uses(c.rule, expr.OldSelfName) }

// supports reports whether a constraint holds whenever another applies, and is about an old value of the same kind.
func (c *constraint) supports(other *constraint) bool {
	switch {
	case !c.usesOld():
		return true
	case !other.usesOld():
		return c.optional
	}
	return c.optional == other.optional
}

// constraints returns the rules of schemas that hold together.
func constraints(all []*props) []constraint {
	var list []constraint
	add := func(ok bool, what, text string, only *props) {
		if ok {
			list = append(list, constraint{what: what, text: text, only: only})
		}
	}
	for _, s := range all {
		if s.Pattern != "" {
			list = append(list, constraint{what: "pattern", text: s.Pattern, rule: expr.Matches(expr.Self(), s.Pattern), only: &props{Pattern: s.Pattern}})
		}
		add(s.Format != "" && s.Type != "integer" && s.Type != "number", "format", s.Format, &props{Format: s.Format})
		add(s.UniqueItems, "rule", "the items are unique", nil)
		add(s.Not != nil, "rule not", text(s.Not), &props{Not: s.Not})
		add(len(s.OneOf) > 0, "rule oneOf", text(s.OneOf), &props{OneOf: s.OneOf})
		add(len(s.AnyOf) > 0, "rule anyOf", text(s.AnyOf), &props{AnyOf: s.AnyOf})
		for _, rule := range s.XValidations {
			c := constraint{what: "rule", text: rule.Rule, optional: isTrue(rule.OptionalOldSelf)}
			if tree, problems := typed.Parse(rule.Rule); len(problems) == 0 {
				c.rule = stripRatcheting(tree)
				if c.optional || !expr.Uses(tree, expr.OldSelfName) {
					c.only = &props{XValidations: apiextensionsv1.ValidationRules{rule}}
				}
			}
			list = append(list, c)
		}
	}
	return list
}

// stripRatcheting returns a CEL rule without the alternatives that only accept old values as they were. They
// change with what a rule compares, and values that were valid do not need them.
func stripRatcheting(rule expr.Expr) expr.Expr {
	either, ok := rule.(*expr.Call)
	if !ok || either.Func != expr.OpOr {
		return rule
	}
	return expr.Or(slices.DeleteFunc(slices.Clone(either.Args), isRatchet)...)
}

// isRatchet reports whether a condition is about an old value, and false if there is none.
func isRatchet(x expr.Expr) bool {
	c, ok := x.(*expr.Comprehension)
	if !ok || c.Macro != expr.ExistsMacro {
		return false
	}
	list, ok := c.Range.(*expr.List)
	return ok && len(list.Items) == 1 && list.Items[0].Optional && expr.Uses(list.Items[0].Value, expr.OldSelfName)
}

// enforced reports whether a rule refuses none of the values that an enum allowed and still allows.
func enforced(only, before, after *props) bool {
	if only == nil || len(before.Enum) == 0 {
		return false
	}
	only.Type, only.Nullable = after.Type, after.Nullable
	return !slices.ContainsFunc(before.Enum, func(v apiextensionsv1.JSON) bool {
		return (len(after.Enum) == 0 || contains(after.Enum, v)) && !crd.Allows(only, []byte(textOf(v)))
	})
}

// isImplied reports whether a constraint refuses only what the schemas of before refused: was, with their constraints.
func isImplied(d *constraint, before, after *props, was []*props, constraints []constraint) bool {
	keywords := sameInCEL(before) && sameInCEL(after)
	if d.rule == nil || d.what != "rule" && !keywords {
		return false
	}
	var from []expr.Expr
	for i := range constraints {
		if c := &constraints[i]; c.rule != nil && (c.what == "rule" || keywords) && c.supports(d) {
			from = append(from, c.rule)
		}
	}
	for _, b := range bounds {
		if l, ok := b.tightest(was); ok && keywords {
			from = append(from, b.rule(l, before))
		}
	}
	return entail.Follows(d.rule, from)
}

// sameInCEL reports whether keywords see the values of a schema as rules in CEL do: neither null, nor text that is a value of
// another type there.
func sameInCEL(s *props) bool {
	return !s.Nullable && !s.XIntOrString && (s.Type != "string" || s.Format == "")
}

// rules compares the rules that values must comply with.
func (c *comparison) rules(at place, before, after *props) {
	was, is := flattenAllOf(before), flattenAllOf(after)
	old := constraints(was)
	follows := func(d *constraint) bool { return isImplied(d, before, after, was, old) }
	bounded := func(b bound) bool {
		return b.only != nil && !slices.ContainsFunc(is, func(s *props) bool {
			_, has := b.of(s)
			return has && !enforced(b.only(s), before, after)
		})
	}
	const keep = "keep the rule as it was, or tighten it in a new version only"
	for _, b := range bounds {
		x, had := b.tightest(was)
		y, has := b.tightest(is)
		switch {
		case bounded(b), has && (!had || b.tighter(y, x)) && follows(&constraint{what: b.name, rule: b.rule(y, after)}):
		case has && !had:
			c.add(codeRule, at, keep, "has the new %s %s", b.name, y)
		case has && b.tighter(y, x):
			c.add(codeRule, at, keep, "has the %s %s, was %s", b.name, y, x)
		}
	}
	for _, s := range is {
		if s.MultipleOf != nil && !slices.ContainsFunc(was, func(o *props) bool { return o.MultipleOf != nil && math.Mod(*o.MultipleOf, *s.MultipleOf) == 0 }) &&
			!enforced(&props{MultipleOf: s.MultipleOf}, before, after) {
			c.add(codeRule, at, keep, "must now be a multiple of %s", limit{value: *s.MultipleOf})
		}
	}
	for _, d := range constraints(is) {
		if !slices.ContainsFunc(old, func(o constraint) bool { return o.what == d.what && o.text == d.text }) && !follows(&d) && !enforced(d.only, before, after) {
			c.add(codeRule, at, keep, "has the new %s %s", d.what, shorten(d.text))
		}
	}
}

// shorten cuts a text that would hide the rest of a message.
func shorten(text string) string {
	const most = 200
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
