package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/tag"
)

// cohort is a group of rules within which a failing rule can stop the others.
type cohort struct {
	name  string
	rules []tag.Rule
}

// split groups rules by cohort: the default one first, even when it is empty,
// the others in order of first appearance.
func split(rules []tag.Rule) []cohort {
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
func hasRest(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool { return !stops(r) })
}

// stops reports whether a rule can stop its cohort.
func stops(r tag.Rule) bool { return r.Guard != nil || r.Short && (r.Check != nil || r.Each != nil) }

// rest returns the rules of a cohort besides those that can stop it.
func rest(rules []tag.Rule) []tag.Rule { return slices.DeleteFunc(slices.Clone(rules), stops) }

// ensuresSet reports whether what comes after a cohort's conditions only runs
// when the value is set.
func ensuresSet(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool {
		return r.If == nil && (r.Tag == "required" || r.Tag == "optional" || r.Tag == "forbidden") && (r.Guard != nil || r.Short)
	})
}

// effective reports whether any of the rules can fail: guards alone say nothing.
func effective(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool {
		switch {
		case r.Part != nil:
			return effective(r.Part.Rules)
		case r.Each != nil:
			return effective(r.Each.Rules)
		}
		return r.Guard == nil
	})
}

// takesNil reports whether a rule that stops nothing is to run for a nil pointer.
func takesNil(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool { return r.Nil && !r.Short })
}

// hasEach reports whether a rule that stops nothing is about each value or key.
func hasEach(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool { return r.Each != nil && !r.Short && effective(r.Each.Rules) })
}

// join puts the rules about one part of a value together, so that they are one
// cohort with one look at the part. Rules with a condition stay where they are.
func join(rules []tag.Rule) []tag.Rule {
	var out []tag.Rule
	for _, r := range rules {
		i := slices.IndexFunc(out, func(o tag.Rule) bool { return samePart(o, r) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		part := *out[i].Part
		part.Rules = slices.Concat(part.Rules, r.Part.Rules)
		out[i].Part = &part
	}
	return out
}

func samePart(a, b tag.Rule) bool {
	if a.If != nil || b.If != nil || a.Cohort != b.Cohort || a.Part == nil || b.Part == nil {
		return false
	}
	return a.Part.Field == b.Part.Field && slices.Equal(a.Part.Through, b.Part.Through) && slices.Equal(a.Part.Keys, b.Part.Keys)
}
