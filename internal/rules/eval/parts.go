package eval

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// fieldOf returns the place of a field of the struct at a place, with the zero value if an inlined
// pointer is nil.
func (e *evaluation) fieldOf(path rule.FieldPath, p *place) place {
	zero := func(v *value) *value {
		if v == nil {
			return e.set.typeOf(path.Type).zero()
		}
		return v
	}
	inner := place{v: zero(selected(p.v.deref(), path)), hasOld: p.hasOldValue()}
	if inner.hasOld {
		inner.old = zero(selected(p.old.deref(), path))
	}
	return inner
}

// part runs the rules of a subfield of the struct at a place.
func (e *evaluation) part(c *order.Check, m *rule.Part, p *place) {
	if !e.isStruct(c, p) {
		return
	}
	inner := e.fieldOf(m.Field, p)
	if inner.same() {
		return
	}
	at := p.at.Child(m.Field.JSON)
	inner.at = &at
	e.body(c.Inside, &inner)
}

// item runs the rules of the first list item with certain keys. Its old value is the old item with
// these keys.
func (e *evaluation) item(c *order.Check, m *rule.Item, p *place) {
	if p.v.deref().typ.form != listForm {
		e.skip(&c.Rule)
		return
	}
	v, i := find(p.v.deref(), m.Keys)
	if v == nil {
		return
	}
	inner := place{v: v}
	if p.hasOldValue() {
		inner.old, _ = find(p.old.deref(), m.Keys)
		inner.hasOld = inner.old != nil
	}
	if inner.same() {
		return
	}
	at := p.at.Index(i)
	inner.at = &at
	e.body(c.Inside, &inner)
}

// modes runs the rules of a field in the struct's mode, on a create or if an update changed the
// field or the mode. The field's own rules run afterwards in any case.
func (e *evaluation) modes(c *order.Check, m *rule.Modes, p *place) {
	if !e.isStruct(c, p) {
		return
	}
	inner := e.fieldOf(m.Field, p)
	mode := scalarOf(selected(p.v.deref(), m.Discriminator), m.Discriminator, e)
	if inner.same() && mode == scalarOf(selected(p.old.deref(), m.Discriminator), m.Discriminator, e) {
		return
	}
	at := p.at.Child(m.Field.JSON)
	inner.at = &at
	mark := e.run.Mark()
	body := c.Otherwise
	for i, one := range m.Cases {
		if one.Value.Text == mode {
			body = c.Modes[i]
		}
	}
	e.body(body, &inner)
	e.attribute(mark, &c.Rule)
	e.run.UnmarkShortCircuit(mark)
}

// scalarOf returns a field's value as text, the zero value if the field is absent.
func scalarOf(v *value, path rule.FieldPath, e *evaluation) string {
	if v == nil {
		v = e.set.typeOf(path.Type).zero()
	}
	return v.scalar()
}

// isStruct reports whether the fields of the value at a place are known.
func (e *evaluation) isStruct(c *order.Check, p *place) bool {
	if p.v.deref().typ.form == structForm {
		return true
	}
	e.skip(&c.Rule)
	return false
}
