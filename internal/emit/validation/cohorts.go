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
	return slices.ContainsFunc(rules, func(r tag.Rule) bool { return r.Guard == nil && (!r.Short || r.Check == nil) })
}

// ensuresSet reports whether what comes after a cohort's conditions only runs
// when the value is set.
func ensuresSet(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool {
		return r.If == nil && (r.Guard != nil || r.Short && (r.Tag == "required" || r.Tag == "optional"))
	})
}
