package eval

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// place is a value under validation.
type place struct {
	at *validate.Path
	// v is the value as declared: a pointer where that is one.
	v *value
	// old is the old value, if hasOld is set.
	old    *value
	hasOld bool
	// wasAbsent is set if the old value is a zero struct, which JSON lacked.
	wasAbsent bool
}

// hasOldValue reports whether there is an old value that is not a nil pointer or an absent struct.
func (p *place) hasOldValue() bool { return p.hasOld && !p.wasAbsent && p.old.deref() != nil }

// same reports whether there is an old value that equals the new one.
func (p *place) same() bool { return p.hasOld && equal(p.v, p.old) }

// typ validates a value of a declared type: against the type that it is declared from, its own
// rules, and field by field. It skips unchanged fields.
func (e *evaluation) typ(t *order.Type, at *validate.Path, v, old *value) {
	if v.typ.form == foreignForm {
		e.skipType(t)
		return
	}
	if t.Base != nil {
		e.typ(e.set.order.Of(t.Base), at, v, old)
	}
	if !e.body(t.Own, &place{at: at, v: v, old: old, hasOld: old != nil}) {
		return
	}
	for _, f := range t.Fields {
		inner := place{at: at, v: v.field(f.Name)}
		if inner.v == nil {
			continue
		}
		if old != nil {
			inner.old, inner.hasOld = old.field(f.Name), true
			inner.wasAbsent = inner.old.typ.form == structForm && !inner.old.isSetAs(f.Body.Place.Unset)
		}
		if f.Body.Hoisted {
			inner.v, inner.old = inner.v.hoisted(), inner.old.hoisted()
		}
		if inner.same() && !e.set.programs.Strict(f.Type) {
			continue
		}
		if !f.Inline {
			child := at.Child(f.JSON)
			inner.at = &child
		}
		e.body(f.Body, &inner)
	}
}

// hoisted returns an inlined pointer, one to a zero struct for a nil pointer.
func (v *value) hoisted() *value {
	if v == nil || v.deref() != nil {
		return v
	}
	return &value{typ: v.typ, parts: []*value{v.typ.elem.zero()}}
}

// body runs the rules of a place, nil for none. It reports whether the default cohort was not
// stopped.
func (e *evaluation) body(b *order.Body, p *place) bool {
	if b == nil {
		return true
	}
	if !e.goesOn(&b.Default, p) {
		return false
	}
	absent := p.v.deref() == nil
	e.rest(&b.Default, p, absent)
	for i := range b.Others {
		if c := &b.Others[i]; (!absent || b.TakesNil()) && e.goesOn(c, p) {
			e.rest(c, p, absent)
			if !absent {
				e.loops(c.Each, p)
			}
		}
	}
	if absent {
		return true
	}
	if b.Call != nil && written(b.Written, p.v.deref()) {
		var old *value
		if p.hasOldValue() {
			old = p.old.deref()
		}
		e.typ(e.set.order.At(*b.Call), p.at, p.v.deref(), old)
	}
	e.loops(b.Default.Each, p)
	return true
}

// goesOn runs the rules that can stop a cohort, and reports whether none has. That their options
// are defined is a guard too.
func (e *evaluation) goesOn(c *order.Cohort, p *place) bool {
	absent := p.v.deref() == nil
	start, on := e.run.Mark(), true
	for _, short := range c.Shorts {
		if e.applies(&short.Rule, p, false) && (!absent || !short.Reads) && !e.check(short, p) {
			on = false
		}
		on = on && e.known(&short.Rule)
	}
	if !absent {
		e.loops(c.Stopping, p)
	}
	if len(c.Stopping) > 0 {
		on = on && e.run.Mark() == start
	}
	for _, guard := range c.Guards {
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
func (e *evaluation) holds(c *order.Check, p *place) bool {
	mark := e.run.Mark()
	return validate.Silently(&e.run, mark, e.must(c, p))
}

// rest runs the rules of a cohort that do not stop others, except loops.
func (e *evaluation) rest(c *order.Cohort, p *place, absent bool) {
	for _, one := range c.Rest {
		if absent && !one.TakesNil || !e.applies(&one.Rule, p, false) {
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
func (e *evaluation) check(c *order.Check, p *place) bool {
	mark := e.run.Mark()
	if e.must(c, p) {
		e.attribute(mark, &c.Rule) // of an option that is not defined
		return true
	}
	if _, fixed := c.Must.(*rule.Fixed); fixed && c.Effect == rule.Stop {
		validate.ShortCircuit(&e.run, mark, false)
	}
	e.mark(mark, rule.LevelOf(c.Under))
	if _, spelled := c.Must.(*rule.Format); !spelled {
		e.spell(mark, p.v)
	}
	e.attribute(mark, &c.Rule)
	return false
}
