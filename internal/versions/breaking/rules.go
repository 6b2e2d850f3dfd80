package breaking

import (
	"math"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/core/expr"
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
	{name: "minimum length", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinLength) }, only: func(s *props) *props { return &props{MinLength: s.MinLength} }},
	{name: "maximum length", of: func(s *props) (limit, bool) { return atMost(s.MaxLength) }, only: func(s *props) *props { return &props{MaxLength: s.MaxLength} }},
	{name: "minimum number of items", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinItems) }},
	{name: "maximum number of items", of: func(s *props) (limit, bool) { return atMost(s.MaxItems) }},
	{name: "minimum number of properties", lower: true, of: func(s *props) (limit, bool) { return atLeast(s.MinProperties) }},
	{name: "maximum number of properties", of: func(s *props) (limit, bool) { return atMost(s.MaxProperties) }},
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
	// essence is the text to compare.
	essence string
	// only is a schema with this rule alone; nil for a rule about changes.
	only *props
}

// constraints returns the rules of schemas that hold together.
func constraints(all []*props) []constraint {
	var list []constraint
	add := func(ok bool, what, text string, only *props) {
		if ok {
			list = append(list, constraint{what, text, text, only})
		}
	}
	for _, s := range all {
		add(s.Pattern != "", "pattern", s.Pattern, &props{Pattern: s.Pattern})
		add(s.Format != "" && s.Type != "integer" && s.Type != "number", "format", s.Format, &props{Format: s.Format})
		add(s.UniqueItems, "rule", "the items are unique", nil)
		add(s.Not != nil, "rule not", text(s.Not), &props{Not: s.Not})
		add(len(s.OneOf) > 0, "rule oneOf", text(s.OneOf), &props{OneOf: s.OneOf})
		add(len(s.AnyOf) > 0, "rule anyOf", text(s.AnyOf), &props{AnyOf: s.AnyOf})
		for _, rule := range s.XValidations {
			var only *props
			if tree, problems := typed.Parse(rule.Rule); len(problems) == 0 && (isTrue(rule.OptionalOldSelf) || !expr.Uses(tree, expr.OldSelfName)) {
				only = &props{XValidations: apiextensionsv1.ValidationRules{rule}}
			}
			list = append(list, constraint{"rule", rule.Rule, stripRatcheting(rule.Rule), only})
		}
	}
	return list
}

// stripRatcheting returns a CEL rule without the alternatives that only accept old values as they were. They
// change with what a rule compares, and values that were valid do not need them.
func stripRatcheting(rule string) string {
	if !strings.Contains(rule, "?"+expr.OldSelfName) {
		return rule
	}
	tree, problems := typed.Parse(rule)
	either, ok := tree.(*expr.Call)
	if len(problems) > 0 || !ok || either.Func != expr.OpOr {
		return rule
	}
	return expr.CEL(expr.Or(slices.DeleteFunc(slices.Clone(either.Args), isRatchet)...))
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

// rules compares the rules that values must comply with.
func (c *comparison) rules(at place, before, after *props) {
	was, is := flattenAllOf(before), flattenAllOf(after)
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
		case bounded(b):
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
	old := constraints(was)
	for _, d := range constraints(is) {
		if !slices.ContainsFunc(old, func(o constraint) bool { return o.what == d.what && o.essence == d.essence }) && !enforced(d.only, before, after) {
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
