package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/rule"
)

// cohort is a group of rules within which a failing rule can stop the others.
type cohort struct {
	name  string
	rules []rule.Rule
}

// split groups rules by cohort: the default one first, even when it is empty,
// the others in order of first appearance.
func split(rules []rule.Rule) []cohort {
	cohorts := []cohort{{}}
	for _, r := range rules {
		i := slices.IndexFunc(cohorts, func(c cohort) bool { return c.name == r.Cohort })
		if i < 0 {
			i = len(cohorts)
			cohorts = append(cohorts, cohort{name: r.Cohort})
		}
		cohorts[i].rules = append(cohorts[i].rules, r)
	}
	return cohorts
}

// hasRest reports whether a cohort has rules besides those that can stop it.
func hasRest(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool { return !stops(r) })
}

// stops reports whether a rule can stop its cohort.
func stops(r rule.Rule) bool { return r.Effect != rule.Report }

// rest returns the rules of a cohort besides those that can stop it.
func rest(rules []rule.Rule) []rule.Rule { return slices.DeleteFunc(slices.Clone(rules), stops) }

// isEach reports whether a rule is about each value or key.
func isEach(r rule.Rule) bool {
	_, ok := r.Must.(*rule.Each)
	return ok
}

// effective reports whether any of the rules can fail: guards report nothing.
func effective(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool {
		switch must := r.Must.(type) {
		case *rule.Each:
			return effective(must.Rules)
		case *rule.Part:
			return effective(must.Rules)
		case *rule.Item:
			return effective(must.Rules)
		}
		return r.Effect != rule.Guard && rule.Checks(r.Must)
	})
}

// hasEach reports whether a rule that stops nothing is about each value or key.
func hasEach(rules []rule.Rule) bool {
	return slices.ContainsFunc(rules, func(r rule.Rule) bool {
		must, ok := r.Must.(*rule.Each)
		return ok && !stops(r) && effective(must.Rules)
	})
}

// join puts the rules about one part of a value together, so that they are one
// cohort with one look at the part. Rules with a condition stay where they are.
func join(rules []rule.Rule) []rule.Rule {
	var out []rule.Rule
	for _, r := range rules {
		i := slices.IndexFunc(out, func(o rule.Rule) bool { return samePart(o, r) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		// Each keeps the levels that it is under.
		below := slices.Concat(pushed(out[i], rule.Below(out[i].Must)), pushed(r, rule.Below(r.Must)))
		out[i].Under = nil
		switch must := out[i].Must.(type) {
		case *rule.Part:
			joined := *must
			joined.Rules = below
			out[i].Must = &joined
		case *rule.Item:
			joined := *must
			joined.Rules = below
			out[i].Must = &joined
		}
	}
	return out
}

func samePart(a, b rule.Rule) bool {
	if a.Cohort != b.Cohort || hasOptions(a) || hasOptions(b) {
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

func hasOptions(r rule.Rule) bool { return len(rule.Options(r.Under))+len(r.Unless) > 0 }
