package eval

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// applies reports whether a rule applies at a place. An option that the request does not define is
// an error, unless silent is set.
func (e *evaluation) applies(r *rule.Rule, p *place, silent bool) bool {
	if !e.under(r, p.at, silent) {
		return false
	}
	switch r.Moment {
	case rule.OnUpdate:
		if !p.hasOld {
			return false
		}
	case rule.OnUpdateOfValue:
		if !p.hasOldValue() {
			return false
		}
	case rule.OnChange:
		if p.hasOldValue() && !e.changed(r, p) {
			return false
		}
	}
	return !slices.ContainsFunc(r.Unless, e.enabled)
}

// under reports whether the option conditions of a rule are true.
func (e *evaluation) under(r *rule.Rule, at *validate.Path, silent bool) bool {
	for i, c := range r.Under {
		switch {
		case !c.IsOption():
		case silent:
			if !e.on(c) {
				return false
			}
		default:
			mark := e.run.Mark()
			if e.asks(at, c) {
				continue
			}
			if r.Stops() {
				validate.ShortCircuit(&e.run, mark, false)
			}
			e.mark(mark, rule.LevelOf(r.Under[:i]))
			e.attribute(mark, r)
			return false
		}
	}
	return true
}

// define disables an option that the request does not have, if all others are disabled.
func (e *evaluation) define(option string) {
	if _, ok := e.options[option]; !ok && e.options != nil {
		e.options[option] = false
		e.assumed = append(e.assumed, option)
	}
}

// asks reports whether an option condition is true, and reports undefined options.
func (e *evaluation) asks(at *validate.Path, c rule.Condition) bool {
	e.define(c.Option)
	if c.Off {
		return validate.IfDisabled(&e.run, at, c.Option)
	}
	return validate.IfEnabled(&e.run, at, c.Option)
}

// on is like asks, without the report.
func (e *evaluation) on(c rule.Condition) bool {
	e.define(c.Option)
	if c.Off {
		return validate.Disabled(&e.run, c.Option)
	}
	return validate.Enabled(&e.run, c.Option)
}

// enabled reports whether all option conditions are true.
func (e *evaluation) enabled(list []rule.Condition) bool {
	return !slices.ContainsFunc(rule.Options(list), func(c rule.Condition) bool { return !e.on(c) })
}

// known reports whether the options of a rule are defined, up to the first false condition.
func (e *evaluation) known(r *rule.Rule) bool {
	for _, c := range rule.Options(r.Under) {
		e.define(c.Option)
		if !validate.Defined(&e.run, c.Option) {
			return false
		}
		if !e.on(c) {
			return true
		}
	}
	return true
}

// mark marks the errors since a position with a level.
func (e *evaluation) mark(from int, level rule.Level) {
	switch level {
	case rule.Alpha:
		validate.Alpha(&e.run, from, false)
	case rule.Beta:
		validate.Beta(&e.run, from, false)
	}
}
