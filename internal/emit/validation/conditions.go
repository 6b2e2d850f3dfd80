package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// optionChecks are the runtime's functions that check an option: those that report undefined
// options, and those that do not.
var optionChecks = map[bool]struct{ reporting, silent string }{
	false: {"IfEnabled", "Enabled"},
	true:  {"IfDisabled", "Disabled"},
}

// levelMarks are the runtime's functions that mark errors with a level.
var levelMarks = map[rule.Level]string{rule.Alpha: "Alpha", rule.Beta: "Beta"}

// call calls a check of the runtime: validate.name(theRun, at, args...).
func (b *body) call(p place, name string, args ...goexpr.Expr) goexpr.Expr {
	return goexpr.Call(b.g.runtime(name), append([]goexpr.Expr{theRun, goexpr.Raw(p.at)}, args...)...)
}

// runtime returns the name of a declaration of the runtime's validate package.
func (g *generator) runtime(name string) string { return g.file.Ident(gofile.RuntimeValidate, name) }

// wrapped wraps a check in a function of the runtime that changes its errors.
func (b *body) wrapped(function string, check goexpr.Expr) goexpr.Expr {
	return goexpr.Call(b.g.runtime(function), theRun, goexpr.Raw("r.Mark()"), check)
}

// atLevel marks the errors of a check with a level.
func (b *body) atLevel(level rule.Level, check goexpr.Expr) goexpr.Expr {
	if level == "" {
		return check
	}
	return b.wrapped(levelMarks[level], check)
}

// marked marks the errors of a rule's check with the rule's levels.
func (b *body) marked(under []rule.Condition, check goexpr.Expr) goexpr.Expr {
	for _, c := range slices.Backward(under) {
		check = b.atLevel(c.Level, check)
	}
	return check
}

// optionIs returns the expression of an option's condition. Unless silent is set, it reports
// undefined options.
func (b *body) optionIs(p place, c rule.Condition, silent bool) goexpr.Expr {
	check := optionChecks[c.Off]
	if silent {
		return goexpr.Call(b.g.runtime(check.silent), theRun, goexpr.Raw(quote(c.Option)))
	}
	return b.call(p, check.reporting, goexpr.Raw(quote(c.Option)))
}

// applies returns the condition under which a rule applies: its moment and its conditions.
func (b *body) applies(p place, r rule.Rule, silent bool) goexpr.Expr {
	x := b.moment(p, r)
	for _, alternative := range r.Unless {
		x = goexpr.And(goexpr.Not(b.optionsAre(p, alternative, true, nil)), x)
	}
	reports := false
	for _, c := range slices.Backward(r.Under) {
		switch {
		case c.IsOption():
			one := b.optionIs(p, c, silent)
			if !silent && r.Stops() { // an undefined option is an error of the rule
				one = b.wrapped("ShortCircuit", one)
			}
			x = goexpr.And(one, x)
			reports = true
		case reports && !silent:
			x = b.atLevel(c.Level, x)
		}
	}
	return x
}

// known returns the condition that the options of a rule are defined. If one is not, a rule that
// can stop its cohort does. It is True for rules without options.
func (b *body) known(p place, r rule.Rule) goexpr.Expr {
	x := goexpr.Expr(goexpr.True)
	for _, c := range slices.Backward(rule.Options(r.Under)) {
		defined := goexpr.Call(b.g.runtime("Defined"), theRun, goexpr.Raw(quote(c.Option)))
		if x != goexpr.Expr(goexpr.True) {
			x = goexpr.Or(goexpr.Not(b.optionIs(p, c, true)), x)
		}
		x = goexpr.And(defined, x)
	}
	return x
}

// optionsAre returns the conjunction of option conditions. Options in seen are not reported again.
func (b *body) optionsAre(p place, under []rule.Condition, silent bool, seen map[string]bool) goexpr.Expr {
	var all []goexpr.Expr
	level := rule.LevelOf(under)
	for _, c := range rule.Options(under) {
		quiet := silent || seen[c.Option]
		if seen != nil {
			seen[c.Option] = true
		}
		one := b.optionIs(p, c, quiet)
		if !quiet {
			one = b.atLevel(level, one)
		}
		all = append(all, one)
	}
	return goexpr.And(all...)
}
