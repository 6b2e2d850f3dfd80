package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// stop is a condition that stops a cohort if it is false.
type stop struct {
	// when are the conditions under which it applies.
	when []goexpr.Expr
	expr goexpr.Expr
}

// expression returns the expression that the stop does not apply or is true.
func (s stop) expression() goexpr.Expr {
	var alternatives []goexpr.Expr
	for _, condition := range s.when {
		alternatives = append(alternatives, goexpr.Not(condition))
	}
	return goexpr.Or(append(alternatives, s.expr)...)
}

// conditions returns the expressions that must be true for a cohort to continue: its
// short-circuiting checks, all of which run, and its guards. If the former include checks of values
// or keys, which need a loop, it writes all of them before.
func (b *body) conditions(p place, c *order.Cohort) []goexpr.Expr {
	shorts, guards := b.stops(p, c)
	var conditions []goexpr.Expr
	if len(c.Stopping) > 0 {
		b.p("mark := r.Mark()")
		b.report(p, shorts, c.Stopping)
		conditions = append(conditions, goexpr.Eq(goexpr.Raw("r.Mark()"), goexpr.Raw("mark")))
	} else if len(shorts) == 1 {
		conditions = append(conditions, shorts[0].expression())
	} else if len(shorts) > 1 {
		checks := make([]goexpr.Expr, len(shorts))
		for i, s := range shorts {
			checks[i] = s.expression()
		}
		conditions = append(conditions, goexpr.Call(b.g.runtime("All"), checks...))
	}
	for _, g := range guards {
		conditions = append(conditions, g.expression())
	}
	return conditions
}

// reports writes the short-circuiting checks of a cohort without other rules.
func (b *body) reports(p place, c *order.Cohort) {
	shorts, _ := b.stops(p, c)
	b.report(p, shorts, c.Stopping)
}

// report writes short-circuiting checks as statements.
func (b *body) report(p place, shorts []stop, loops []order.Loop) {
	for _, s := range shorts {
		b.under(p, goexpr.And(s.when...), func() { b.p(s.expr) })
	}
	p.noNils = false // decided by this code
	write := func() { b.loops(p, loops) }
	switch {
	case len(loops) == 0:
	case p.rule.IsPointer(b.g.m):
		b.unlessNil(p, true, write)
	case p.rule.Scope == rule.OnType: // whose other loops are in the same block
		b.p("{")
		write()
		b.p("}")
	default:
		write()
	}
}

// stops returns the conditions that can stop a cohort: its short-circuiting checks and its guards.
// Conditions of guards report nothing. That the options of a rule are defined is a guard.
func (b *body) stops(p place, cohort *order.Cohort) (shorts, guards []stop) {
	for _, c := range slices.Concat(cohort.Shorts, cohort.Guards) {
		r := c.Rule
		if known := (stop{expr: b.known(p, r)}); known.expr != goexpr.Expr(goexpr.True) &&
			!slices.ContainsFunc(guards, func(s stop) bool { return goexpr.Same(s.expr, known.expr) }) {
			guards = append(guards, known)
		}
		s := stop{expr: b.guard(p, r)}
		if r.Effect == rule.Stop {
			s.expr = b.marked(r.Under, b.leaf(p, r))
		}
		switch applies := b.applies(p, r, r.Effect == rule.Guard); applies {
		case goexpr.Expr(goexpr.False):
			continue
		case goexpr.Expr(goexpr.True):
		default:
			s.when = append(s.when, applies)
		}
		switch {
		case r.Effect == rule.Stop:
			if p.rule.IsPointer(b.g.m) && c.Reads {
				s.when = append(s.when, goexpr.Ne(p.value, goexpr.Nil))
			}
			shorts = append(shorts, s)
		case s.expr != goexpr.Expr(goexpr.True):
			guards = append(guards, s)
		}
	}
	return shorts, guards
}

// guard returns the condition under which a cohort continues, without reports.
func (b *body) guard(p place, r rule.Rule) goexpr.Expr {
	switch r.Must.(type) {
	case *rule.Required, *rule.IsSet:
		return b.isSet(p)
	}
	if r.Effect == rule.Stop {
		return goexpr.True
	}
	return b.wrapped("Silently", b.marked(r.Under, b.leaf(p, r)))
}
