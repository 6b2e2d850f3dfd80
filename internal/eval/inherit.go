package eval

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/rule"
)

// inherit returns rules under further levels, which are around those that the
// rules have. The rules of a part get the levels of the part, which then stands
// under options only.
func inherit(rules []rule.Rule, outer []rule.Condition) []rule.Rule {
	out := make([]rule.Rule, len(rules))
	for i, r := range rules {
		r.Under = slices.Concat(outer, r.Under)
		switch p := r.Must.(type) {
		case *rule.Part:
			part := *p
			part.Rules = inherit(p.Rules, levels(r.Under))
			r.Must = &part
		case *rule.Item:
			item := *p
			item.Rules = inherit(p.Rules, levels(r.Under))
			r.Must = &item
		case *rule.Modes:
			modes := *p
			modes.Cases = slices.Clone(p.Cases)
			for i := range modes.Cases {
				modes.Cases[i].Rules = inherit(modes.Cases[i].Rules, levels(r.Under))
			}
			modes.Otherwise = inherit(p.Otherwise, levels(r.Under))
			r.Must = &modes
		}
		out[i] = r
	}
	return out
}

// levels returns the conditions of a list that say how firmly rules hold.
func levels(under []rule.Condition) []rule.Condition {
	return slices.DeleteFunc(slices.Clone(under), rule.Condition.IsOption)
}

// join puts the rules about one part of a value together, so that they are one
// cohort with one look at the part. Rules with a condition stay where they are.
func join(rules []rule.Rule) []rule.Rule {
	var out []rule.Rule
	for _, r := range rules {
		i := slices.IndexFunc(out, func(o rule.Rule) bool { return samePart(&o, &r) })
		if i < 0 {
			out = append(out, r)
			continue
		}
		switch first := out[i].Must.(type) {
		case *rule.Part:
			part := *first
			part.Rules = slices.Concat(first.Rules, rule.Below(r.Must))
			out[i].Must = &part
		case *rule.Item:
			item := *first
			item.Rules = slices.Concat(first.Rules, rule.Below(r.Must))
			out[i].Must = &item
		}
	}
	return out
}

func samePart(a, b *rule.Rule) bool {
	if !always(a) || !always(b) || a.Cohort != b.Cohort {
		return false
	}
	switch p := a.Must.(type) {
	case *rule.Part:
		q, ok := b.Must.(*rule.Part)
		return ok && p.Field.Same(q.Field)
	case *rule.Item:
		q, ok := b.Must.(*rule.Item)
		return ok && slices.EqualFunc(p.Keys, q.Keys, func(x, y rule.KeyValue) bool {
			return x.Key.Same(y.Key) && x.Value == y.Value
		})
	}
	return false
}

// always reports whether a rule applies whatever the request is.
func always(r *rule.Rule) bool {
	return len(rule.Options(r.Under)) == 0 && len(r.Unless) == 0 && r.Moment == rule.Always
}
