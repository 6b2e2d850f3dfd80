package eval

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/core/apitype"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// must runs a predicate at a place. The functions that generated code calls build the errors.
func (e *evaluation) must(c *order.Check, p *place) bool {
	r, at := &e.run, p.at
	switch m := c.Must.(type) {
	case *rule.Required:
		return validate.Required(r, at, p.v.isSetAs(c.Place.Unset))
	case *rule.IsSet:
		return p.v.isSetAs(c.Place.Unset)
	case *rule.Forbidden:
		return validate.Forbidden(r, at, p.v.isSetAs(c.Place.Unset))
	case *rule.Immutable:
		return validate.Immutable(r, at)
	case *rule.Fixed:
		return validate.FixedResult(r, at, p.v.inError(), m.Passes, m.Text)
	case *rule.Call:
		e.skipCall(&c.Rule, m)
		return true
	case *rule.Update:
		return e.update(c, m, p)
	case *rule.CEL:
		return e.authored(c, p)
	}
	v, o := p.v.deref(), e.set.operand(c)
	if v.typ.form == foreignForm {
		e.skip(&c.Rule)
		return true
	}
	switch m := c.Must.(type) {
	case *rule.Limit:
		return e.limit(o, m, at, v)
	case *rule.NotEqual:
		return e.notEqual(o, m, at, v)
	case *rule.Pattern:
		return o.pattern == nil || validate.Pattern(r, at, v.text, o.pattern)
	case *rule.Format:
		switch {
		case o.format == nil:
			return true
		case v.typ.declared:
			return o.format.declared(r, at, word(v.text))
		}
		return o.format.plain(r, at, v.text)
	case *rule.Enum:
		return validate.EnumExcept(r, at, v.text, o.sorted, o.excluded)
	case *rule.ListType:
		return e.unique(at, v, m.Type, m.Keys)
	case *rule.Unique:
		return e.unique(at, v, m.By, m.Keys)
	case *rule.NoNils:
		return validate.NoNilItems(r, at, items(v))
	case *rule.Monotonic:
		if old := p.old.deref(); v.typ.form == uintForm {
			return validate.Monotonic(r, at, v.bits, old.bits)
		}
		return validate.Monotonic(r, at, int64(v.bits), int64(p.old.deref().bits))
	case *rule.Dependent:
		return e.dependent(m, at, v)
	case *rule.Union:
		return e.union(m, p)
	}
	return true
}

func (e *evaluation) limit(o *operand, m *rule.Limit, at *validate.Path, v *value) bool {
	r, n := &e.run, int(o.signed)
	switch m.Keyword {
	case rule.MinLength:
		return validate.MinLength(r, at, v.text, n)
	case rule.MaxLength:
		return validate.MaxLength(r, at, v.text, n)
	case rule.MaxBytes:
		return validate.MaxBytes(r, at, v.text, n)
	case rule.MinItems:
		return validate.MinItems(r, at, v.size(), n)
	case rule.MaxItems:
		return validate.MaxItems(r, at, v.size(), n)
	case rule.MinProperties:
		return validate.MinProperties(r, at, v.size(), n)
	case rule.MaxProperties:
		return validate.MaxProperties(r, at, v.size(), n)
	}
	switch m.Of {
	case rule.Duration:
		return durationBounds[m.Keyword](r, at, v.own.(*apitype.Duration).Duration, time.Duration(o.signed))
	case rule.Quantity:
		return quantityBounds[m.Keyword](r, at, v.own.(*resource.Quantity), &o.quantity)
	}
	if v.typ.form == uintForm {
		return bound(r, m.Keyword, at, v.bits, o.unsigned)
	}
	return bound(r, m.Keyword, at, int64(v.bits), o.signed)
}

// The checks of bounds on durations and quantities.
var (
	durationBounds = map[rule.Keyword]func(r *validate.Run, at *validate.Path, value, bound time.Duration) bool{
		rule.Minimum: validate.MinimumDuration, rule.ExclusiveMinimum: validate.ExclusiveMinimumDuration,
		rule.Maximum: validate.MaximumDuration, rule.ExclusiveMaximum: validate.ExclusiveMaximumDuration,
	}
	quantityBounds = map[rule.Keyword]func(r *validate.Run, at *validate.Path, value, bound *resource.Quantity) bool{
		rule.Minimum: validate.MinimumQuantity, rule.ExclusiveMinimum: validate.ExclusiveMinimumQuantity,
		rule.Maximum: validate.MaximumQuantity, rule.ExclusiveMaximum: validate.ExclusiveMaximumQuantity,
	}
)

// size returns the number of items or entries.
func (v *value) size() int {
	switch v.typ.form {
	case mapForm:
		return len(v.entries)
	case bytesForm:
		return len(v.text)
	}
	return len(v.parts)
}

func bound[T int64 | uint64](r *validate.Run, keyword rule.Keyword, at *validate.Path, value, limit T) bool {
	switch keyword {
	case rule.Minimum:
		return validate.Minimum(r, at, value, limit)
	case rule.Maximum:
		return validate.Maximum(r, at, value, limit)
	case rule.ExclusiveMinimum:
		return validate.ExclusiveMinimum(r, at, value, limit)
	case rule.ExclusiveMaximum:
		return validate.ExclusiveMaximum(r, at, value, limit)
	case rule.MultipleOf:
		return limit == 0 || validate.MultipleOf(r, at, value, limit)
	}
	return true
}

func (e *evaluation) notEqual(o *operand, m *rule.NotEqual, at *validate.Path, v *value) bool {
	r := &e.run
	switch v.typ.form {
	case stringForm:
		return validate.NEQ(r, at, v.text, m.Value.Text)
	case boolForm:
		return validate.NEQ(r, at, v.bits != 0, m.Value.Text == "true")
	case uintForm:
		return validate.NEQ(r, at, v.bits, o.unsigned)
	case intForm:
		return validate.NEQ(r, at, int64(v.bits), o.signed)
	}
	return true
}

func (e *evaluation) unique(at *validate.Path, v *value, by rule.Semantics, keys []rule.FieldPath) bool {
	id := &identity{}
	if by == rule.Map {
		id.keys = keys
	}
	mark := e.run.Mark()
	ok := validate.UniquePtrFunc(&e.run, at, items(v), id.hash, id.same)
	for _, err := range e.run.Since(mark) {
		// A pointer is spelled as JSON, as values are that are left as they are.
		if item, is := err.BadValue.(*value); is && v.typ.elem.form != pointerForm {
			err.BadValue = item.inError()
		}
	}
	return ok
}

// update compares a value with its old value.
func (e *evaluation) update(c *order.Check, m *rule.Update, p *place) bool {
	r, is := &e.run, p.v.isSetAs(c.Place.Unset)
	was := p.hasOld && p.old.isSetAs(c.Place.Unset)
	switch m.Forbids {
	case rule.NoSet:
		return validate.UpdateNoSet(r, p.at, !p.hasOld || was, is)
	case rule.NoUnset:
		return validate.UpdateNoUnset(r, p.at, was, is)
	case rule.NoModify:
		return validate.UpdateNoModify(r, p.at, was, is)
	}
	v, old := p.v.deref(), p.old.deref()
	added := m.Forbids == rule.NoAddItem
	switch v.typ.form {
	case mapForm:
		if added {
			return validate.UpdateNoAddKey(r, p.at, v.entries, old.entries)
		}
		return validate.UpdateNoRemoveKey(r, p.at, v.entries, old.entries)
	case listForm:
		id := identityOf(c.Place.List)
		if id == nil {
			id = &identity{}
		}
		if added {
			return validate.UpdateNoAddItemPtr(r, p.at, items(v), items(old), id.hash, id.same)
		}
		return validate.UpdateNoRemoveItemPtr(r, p.at, items(v), items(old), id.hash, id.same)
	}
	e.skip(&c.Rule)
	return true
}

func (e *evaluation) dependent(m *rule.Dependent, at *validate.Path, v *value) bool {
	check := validate.DependentRequired
	if m.Forbidden {
		check = validate.DependentForbidden
	}
	return check(&e.run, at, m.When.JSON, m.Then.JSON, isSet(v, m.When), isSet(v, m.Then))
}
