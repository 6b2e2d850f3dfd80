package validation

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/tag"
)

// stop is something that stops a cohort when it is false.
type stop struct {
	// when are the conditions under which it is looked at.
	when []string
	expr string
}

// alternatives spells the stop: not looked at, or passed.
func (s stop) alternatives() string {
	out := ""
	for _, condition := range s.when {
		out += tag.Not(condition) + " || "
	}
	return out + s.expr
}

// operand spells the stop so that && can stand around it.
func (s stop) operand() string {
	if len(s.when) > 0 || s.expr != tag.Operand(s.expr) {
		return "(" + s.alternatives() + ")"
	}
	return s.expr
}

// conditions returns the expressions that must hold for a cohort to go on: its
// short-circuiting checks, all of which run, and its guards. Where the checks of
// values or keys are among the former, which takes a loop, all of them are
// written ahead.
func (b *body) conditions(p place, rules []tag.Rule) []string {
	shorts, guards := b.stops(p, rules)
	var conditions []string
	if loops := stoppingLoops(rules); len(loops) > 0 {
		b.p("mark := r.Mark()")
		b.report(p, shorts, loops)
		conditions = append(conditions, "r.Mark() == mark")
	} else if len(shorts) == 1 {
		conditions = append(conditions, shorts[0].operand())
	} else if len(shorts) > 1 {
		checks := make([]string, len(shorts))
		for i, s := range shorts {
			checks[i] = s.alternatives()
		}
		conditions = append(conditions, b.g.file.Ident(validatePkg, "All")+"("+strings.Join(checks, ", ")+")")
	}
	for _, g := range guards {
		conditions = append(conditions, g.operand())
	}
	return conditions
}

// reports writes the short-circuiting checks of a cohort in which there is
// nothing to stop.
func (b *body) reports(p place, rules []tag.Rule) {
	shorts, _ := b.stops(p, rules)
	b.report(p, shorts, stoppingLoops(rules))
}

// stoppingLoops returns the rules about values and keys that can stop a cohort.
func stoppingLoops(rules []tag.Rule) []tag.Rule {
	return slices.DeleteFunc(slices.Clone(rules), func(r tag.Rule) bool { return r.Each == nil || !stops(r) })
}

// report writes short-circuiting checks as statements.
func (b *body) report(p place, shorts []stop, loops []tag.Rule) {
	for _, s := range shorts {
		if len(s.when) == 0 {
			b.p(s.expr)
			continue
		}
		b.under(p, tag.All(s.when), func() { b.p(s.expr) })
	}
	p.noNils = false // that is being found out
	write := func() { b.loop(p, loops, false) }
	switch {
	case len(loops) == 0:
	case p.node.IsPointer():
		b.unlessNil(p, true, write)
	case p.node.Scope == tag.OnType: // whose other loops are in the same block
		b.p("{")
		write()
		b.p("}")
	default:
		write()
	}
}

// stops returns what can stop a cohort: its short-circuiting checks, and its
// guards. Conditions of guards report nothing: a guard says no more than
// whether the value is there. That it is known whether a rule applies is a guard.
func (b *body) stops(p place, rules []tag.Rule) (shorts, guards []stop) {
	e := b.exprs(p)
	silent := *e
	silent.Silent = true
	for _, r := range rules {
		if r.Known != nil && r.Each == nil && stops(r) {
			known := func(s stop) bool { return len(s.when) == 0 && s.expr == r.Known(e) }
			if !slices.ContainsFunc(guards, known) {
				guards = append(guards, stop{expr: r.Known(e)})
			}
		}
		switch {
		case r.Guard != nil:
			s := stop{expr: r.Guard(e)}
			if r.If != nil {
				s.when = []string{r.If(&silent)}
			}
			if s.expr != "true" && !slices.Contains(s.when, "false") {
				guards = append(guards, s)
			}
		case r.Short && r.Check != nil:
			s := stop{expr: r.Check(e)}
			if r.If != nil {
				if condition := r.If(e); condition != "true" {
					s.when = append(s.when, condition)
				}
			}
			if p.node.IsPointer() && e.Value != e.Raw && strings.Contains(s.expr, e.Value) {
				s.when = append(s.when, e.Raw+" != nil")
			}
			if !slices.Contains(s.when, "false") {
				shorts = append(shorts, s)
			}
		}
	}
	return shorts, guards
}
