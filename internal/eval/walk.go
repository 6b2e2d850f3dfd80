package eval

import (
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// place is a value under validation.
type place struct {
	at *validate.Path
	// v is the value as declared: a pointer where that is one.
	v *value
	// old is what it was, where hasOld is set.
	old    *value
	hasOld bool
}

// hasOldValue reports whether there is an old value, pointers looked through.
func (p *place) hasOldValue() bool { return p.hasOld && p.old.deref() != nil }

// same reports whether there is an old value that equals the new one.
func (p *place) same() bool { return p.hasOld && equal(p.v, p.old) }

// typ validates a value of a declared type: by the type that it is declared from,
// by its own rules, and field by field. A field that an update leaves as it was
// is skipped.
func (e *evaluation) typ(t *typePlan, at *validate.Path, v, old *value) {
	if v.typ.form == foreignForm {
		e.skipType(t)
		return
	}
	if t.base != nil {
		e.typ(t.base, at, v, old)
	}
	if !e.body(t.own, &place{at: at, v: v, old: old, hasOld: old != nil}) {
		return
	}
	for _, f := range t.fields {
		inner := place{at: at, v: v.field(f.Name)}
		if inner.v == nil {
			continue
		}
		if old != nil {
			inner.old, inner.hasOld = old.field(f.Name), true
		}
		if inner.same() {
			continue
		}
		if !f.Inline {
			child := at.Child(f.JSON)
			inner.at = &child
		}
		e.body(f.body, &inner)
	}
}

// body runs the rules of a place. It reports whether the default cohort ran to
// its end.
func (e *evaluation) body(b *body, p *place) bool {
	if !e.goesOn(&b.first, p) {
		return false
	}
	absent := p.v.deref() == nil
	if absent && !b.takesNil {
		return true
	}
	e.rest(&b.first, p, absent)
	for i := range b.others {
		if c := &b.others[i]; e.goesOn(c, p) {
			e.rest(c, p, absent)
			if !absent {
				e.loops(c.each, p)
			}
		}
	}
	if absent {
		return true
	}
	if b.call != nil && (b.writes == nil || written(b.writes, p.v.deref())) {
		var old *value
		if p.hasOld {
			old = p.old.deref()
		}
		e.typ(b.call, p.at, p.v.deref(), old)
	}
	e.loops(b.first.each, p)
	return true
}

// goesOn runs what can stop a cohort, and reports whether nothing has. That it is
// known whether such a rule applies is a guard too.
func (e *evaluation) goesOn(c *cohort, p *place) bool {
	absent := p.v.deref() == nil
	start, on := e.run.Mark(), true
	for _, short := range c.shorts {
		if e.applies(&short.Rule, p, false) && (!absent || !short.reads) && !e.check(short, p) {
			on = false
		}
		on = on && e.known(&short.Rule)
	}
	if !absent {
		e.loops(c.stopping, p)
	}
	if len(c.stopping.when) > 0 || c.stopping.always != nil {
		on = on && e.run.Mark() == start
	}
	for _, guard := range c.guards {
		if !on || !e.known(&guard.Rule) {
			return false
		}
		if e.applies(&guard.Rule, p, true) && !e.holds(guard, p) {
			return false
		}
	}
	return on
}

// holds runs a check without its report.
func (e *evaluation) holds(c *check, p *place) bool {
	mark := e.run.Mark()
	return validate.Silently(&e.run, mark, e.must(c, p))
}

// rest runs the rules of a cohort that stop nothing, loops apart.
func (e *evaluation) rest(c *cohort, p *place, absent bool) {
	for _, one := range c.rest {
		if absent && !one.takesNil || !e.applies(&one.Rule, p, false) {
			continue
		}
		switch m := one.Must.(type) {
		case *rule.Part:
			e.part(one, m, p)
		case *rule.Item:
			e.item(one, m, p)
		case *rule.Modes:
			e.modes(one, m, p)
		default:
			e.check(one, p)
		}
	}
}

// check runs a predicate; its errors get the level of the rule.
func (e *evaluation) check(c *check, p *place) bool {
	mark := e.run.Mark()
	if e.must(c, p) {
		e.attribute(mark, &c.Rule) // of an option that is not defined
		return true
	}
	if _, fixed := c.Must.(*rule.Fixed); fixed && c.Effect == rule.Stop {
		validate.ShortCircuit(&e.run, mark, false)
	}
	e.mark(mark, c.level)
	e.spell(mark, p.v)
	e.attribute(mark, &c.Rule)
	return false
}
