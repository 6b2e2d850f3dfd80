package schema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// clause is one condition in CEL, or the reason why there is none.
type clause struct {
	holds   expr.Expr
	message string
	// kind is the server's reason; "" means that a value is invalid.
	kind apiextensionsv1.FieldValueErrorReason
	// path is the path of the error, as properties below the schema.
	path []string
	// unless is the condition under which the rule does not apply, nil for none. In it, oldSelf is
	// an optional value. A rule that costs more than the server allows is published without it, or
	// not at all if spare is set.
	unless expr.Expr
	spare  bool
	// strict is set if the rule also applies where nothing changed.
	strict bool
	// span is the tag of the clause.
	span   source.Span
	reason rule.Reason
}

// exempt adds a condition under which the rule does not apply, nil for none.
func (c *clause) exempt(when expr.Expr) {
	switch {
	case when == nil:
	case c.unless == nil:
		c.unless = when
	default:
		c.unless = expr.Or(c.unless, when)
	}
}

// complete returns the condition with everything that the clause depends on, and whether oldSelf is
// an optional value in it.
func (c clause) complete() (holds expr.Expr, optional bool) {
	holds, optional = c.holds, c.strict
	if c.unless != nil {
		holds, optional = expr.Or(holds, c.unless), optional || expr.Uses(c.unless, expr.OldSelfName)
	}
	if c.strict {
		// A server does not check a rule where nothing changed, unless it reads the old value.
		holds = expr.And(holds, expr.Eq(expr.Method(expr.ListOf(expr.OldSelf()), "size"), expr.Int(1)))
	}
	return holds, optional
}

// validation returns the clause as a validation rule.
func (c clause) validation() apiextensionsv1.ValidationRule {
	holds, optional := c.complete()
	v := apiextensionsv1.ValidationRule{Rule: expr.CEL(holds), Message: oneLine.Replace(c.message)}
	if c.kind != "" {
		kind := c.kind
		v.Reason = &kind
	}
	if optional {
		v.OptionalOldSelf = &optional
	}
	for _, name := range c.path {
		v.FieldPath += fieldPath(name)
	}
	return v
}

// oneLine escapes line breaks, which messages cannot have.
var oneLine = strings.NewReplacer("\n", `\n`, "\r", `\r`)

// fieldPath returns the fieldPath of a property below self.
func fieldPath(name string) string {
	if strings.ContainsAny(name, ".-/ []'") {
		return "['" + strings.ReplaceAll(name, "'", `\'`) + "']"
	}
	return "." + name
}

// loc is the location of a value, relative to the schema with the clauses.
type loc struct {
	place *rule.Place
	// x and old are the value and the old value; old is nil if the server has none. For a field,
	// fill sets them.
	x, old expr.Expr
	// in is, for a field, the enclosing struct, which may lack the field.
	in    *loc
	field string
	// required and optional are set if other rules make the field required or optional.
	required, optional bool
	// guard is the condition that the field is set, if the rules apply only to a set field.
	guard expr.Expr
}

// fill sets the values of a field.
func (l *loc) fill() {
	if l.in != nil && l.x == nil {
		l.x = expr.Get(l.in.x, l.field)
		if l.in.old != nil {
			l.old = expr.Get(l.in.old, l.field)
		}
	}
}

// path are the properties from the schema to the value.
func (l *loc) path() []string {
	if l.in == nil {
		return nil
	}
	return append(l.in.path(), l.field)
}

// there are the conditions that the value exists, outermost first.
func (l *loc) there() []expr.Expr {
	if l.in == nil {
		return nil
	}
	if l.guard != nil {
		return append(l.in.there(), l.guard)
	}
	return append(l.in.there(), expr.Has(l.in.x, l.field))
}

// wasThere are the conditions for the old value, if the server has one.
func (l *loc) wasThere() []expr.Expr {
	if l.in == nil || l.old == nil {
		return nil
	}
	return append(l.in.wasThere(), expr.Has(l.in.old, l.field))
}

// before returns the location of the old value, in the old value of everything around it.
func (l *loc) before() *loc {
	if l == nil {
		return nil
	}
	return &loc{place: l.place, x: l.old, in: l.in.before(), field: l.field}
}

// where returns the condition that a value satisfies something or does not exist.
func where(there []expr.Expr, holds expr.Expr) expr.Expr {
	var all []expr.Expr
	for _, t := range there {
		all = append(all, expr.Not(t))
	}
	return expr.Or(append(all, holds)...)
}

// clauses returns the clauses of a rule on a value.
func (p *projector) clauses(r rule.Rule, at *loc) []clause {
	at.fill()
	if holds, reason := p.b.projectionOf(p.owner.Package).Holds(r.Under); !holds {
		return p.none(r, reason)
	}
	var out []clause
	switch must := r.Must.(type) {
	case *rule.Required, *rule.IsSet, *rule.Forbidden, *rule.Immutable, *rule.Monotonic, *rule.Update:
		out = p.presence(r, at)
	case *rule.Dependent:
		out = p.dependent(must, at)
	case *rule.Union:
		out = p.union(must, at)
	case *rule.Each:
		out = p.eachClause(r, must, at)
	case *rule.Part:
		place := &loc{in: at, field: must.Field.JSON, place: must.Place}
		out = p.all(must.Rules, place)
	case *rule.Item:
		out = p.itemClause(r, must, at)
	case *rule.Modes:
		out = p.modes(must, at)
	default:
		out = p.value(r, at)
	}
	for i := range out {
		if out[i].span.IsZero() {
			out[i].span = r.Span
		}
	}
	return out
}

func (p *projector) none(r rule.Rule, reason rule.Reason) []clause {
	if reason == "" {
		return nil
	}
	return []clause{{reason: reason, span: r.Span}}
}

// all returns the clauses of the rules of a place. If one of them decides whether the value may be
// unset, the others apply to a set value.
func (p *projector) all(rules []rule.Rule, at *loc) []clause {
	at.fill()
	decided := false
	for _, r := range rules {
		switch must := r.Must.(type) {
		case *rule.Required:
			at.required = at.required || !must.Defaulted && len(r.Under) == 0
			at.optional = at.optional || must.Defaulted
			decided = true
		case *rule.IsSet:
			at.optional = true
			decided = true
		}
	}
	if decided && at.in != nil {
		at.guard = p.isSet(at)
	}
	var out []clause
	for _, r := range rules {
		out = append(out, p.clauses(r, at)...)
	}
	return out
}

// isSet returns the condition that the field is set.
func (p *projector) isSet(at *loc) expr.Expr {
	return p.b.rulesOf.IsSet(at.in.x, rule.FieldPath{JSON: at.field, Type: at.place.Type, Unset: at.place.Unset})
}

func (p *projector) wasSet(at *loc) expr.Expr {
	return p.b.rulesOf.IsSet(at.in.old, rule.FieldPath{JSON: at.field, Type: at.place.Type, Unset: at.place.Unset})
}

// value returns the clauses of a rule on an existing value.
func (p *projector) value(r rule.Rule, at *loc) []clause {
	if e, ok := r.Must.(*rule.Enum); ok {
		r.Must = &rule.Enum{Type: e.Type, Values: p.enumValues(e.Values)}
	}
	holds, message, reason := p.b.rulesOf.Holds(r.Must, at.x)
	if holds == nil {
		return p.none(r, reason)
	}
	if message == "" {
		message = "must satisfy " + r.Text
	}
	return []clause{{holds: where(at.there(), holds), message: message, path: at.path()}}
}

// reasons for rules on old values that the server does not have.
const noOldValue rule.Reason = "items of this list are not correlated, so there is no old value to compare with; "

// presence returns the clauses of a rule that also applies to an absent value. For a field, they
// are on the enclosing struct, because clauses on the field itself do not run if the field is added
// or removed.
func (p *projector) presence(r rule.Rule, at *loc) []clause {
	switch must := r.Must.(type) {
	case *rule.Required:
		if at.in == nil {
			return nil
		}
		return []clause{{holds: where(at.in.there(), p.isSet(at)), message: "Required value", kind: apiextensionsv1.FieldValueRequired, path: at.path()}}
	case *rule.Forbidden:
		if at.in == nil {
			return nil
		}
		return []clause{{holds: where(at.in.there(), expr.Not(p.isSet(at))), message: "Forbidden", kind: apiextensionsv1.FieldValueForbidden, path: at.path()}}
	case *rule.Immutable:
		return p.immutable(r, at)
	case *rule.Monotonic:
		return p.monotonic(r, at)
	case *rule.Update:
		return p.update(r, must, at)
	}
	return nil
}

// compared returns a clause about the value and the old value, both of which exist.
func compared(at *loc, holds expr.Expr, message string) []clause {
	there := append(at.there(), at.wasThere()...)
	return []clause{{holds: where(there, holds), message: message, path: at.path()}}
}

// around returns a clause about a field of the struct and of the old struct.
func around(at *loc, holds expr.Expr, message string) []clause {
	there := append(at.in.there(), at.in.wasThere()...)
	return []clause{{holds: where(there, holds), message: message, path: at.path()}}
}

func (p *projector) immutable(r rule.Rule, at *loc) []clause {
	const message = "field is immutable"
	switch {
	case at.old == nil && (at.in == nil || at.in.old == nil):
		return p.none(r, noOldValue+"put the tag on the list itself, or use a list of type map")
	case at.in == nil:
		return compared(at, expr.Eq(at.x, at.old), message)
	}
	has, had := expr.Has(at.in.x, at.field), expr.Has(at.in.old, at.field)
	same := expr.And(expr.Eq(has, had), expr.Or(expr.Not(has), expr.Eq(at.x, at.old)))
	return around(at, same, message)
}

func (p *projector) monotonic(r rule.Rule, at *loc) []clause {
	const message = "may not be decreased"
	switch {
	case at.old == nil:
		return p.none(r, noOldValue+"use a list of type map")
	case at.in == nil || at.place.IsPointer(p.b.model) || at.required:
		return compared(at, expr.Ge(at.x, at.old), message)
	}
	// An unset value is zero.
	f := rule.FieldPath{JSON: at.field, Type: at.place.Type, Unset: at.place.Unset}
	holds := expr.Ge(p.b.rulesOf.OrZero(at.in.x, f), p.b.rulesOf.OrZero(at.in.old, f))
	if at.optional {
		holds = expr.Or(expr.Not(p.isSet(at)), holds)
	}
	return around(at, holds, message)
}

// updateMessages are upstream's.
var updateMessages = map[rule.Forbids]string{
	rule.NoSet:        "field cannot be set once created",
	rule.NoUnset:      "field cannot be cleared once set",
	rule.NoModify:     "field cannot be modified once set",
	rule.NoAddItem:    "item may not be added",
	rule.NoRemoveItem: "item may not be removed",
}

func (p *projector) update(r rule.Rule, must *rule.Update, at *loc) []clause {
	message := updateMessages[must.Forbids]
	if at.old == nil {
		return p.none(r, noOldValue+"use a list of type map")
	}
	if at.in == nil {
		same := []expr.Expr{expr.Eq(at.x, at.old)}
		if zero := p.b.rulesOf.Zero(at.place.Type); zero != nil {
			same = append(same, expr.Eq(at.x, zero), expr.Eq(at.old, zero))
		}
		return compared(at, expr.Or(same...), message)
	}
	is, was := p.isSet(at), p.wasSet(at)
	var out []clause
	switch must.Forbids {
	case rule.NoSet:
		out = around(at, expr.Or(was, expr.Not(is)), message)
	case rule.NoUnset:
		out = around(at, expr.Or(expr.Not(was), is), message)
	case rule.NoModify:
		out = around(at, expr.Or(expr.Not(was), expr.Not(is), expr.Eq(at.x, at.old)), message)
	case rule.NoAddItem:
		out = around(at, p.within(at, at.in.x, at.in.old), message)
	case rule.NoRemoveItem:
		out = around(at, p.within(at, at.in.old, at.in.x), message)
	}
	if must.Forbids == rule.NoAddItem || must.Forbids == rule.NoRemoveItem {
		out[0].kind = apiextensionsv1.FieldValueForbidden
	}
	return out
}

// within returns the condition that every item of one struct's list or map is in another's.
func (p *projector) within(at *loc, one, other expr.Expr) expr.Expr {
	x, y, has := expr.Get(one, at.field), expr.Get(other, at.field), expr.Has(other, at.field)
	isMap := at.place.Underlying(p.b.model).Kind == model.KindMap
	all := expr.All(x, func(i expr.Expr) expr.Expr {
		if list := at.place.List; isMap || list.Identity != rule.Map || len(list.Keys) == 0 {
			return expr.And(has, expr.In(i, y))
		}
		return expr.And(has, expr.Exists(y, func(j expr.Expr) expr.Expr {
			var same []expr.Expr
			for _, k := range at.place.List.Keys {
				same = append(same, expr.Eq(expr.Get(j, k.JSON), expr.Get(i, k.JSON)))
			}
			return expr.And(same...)
		}))
	})
	if isMap {
		all = expr.Keyed(all)
	}
	return expr.Or(expr.Not(expr.Has(one, at.field)), all)
}

func (p *projector) dependent(d *rule.Dependent, at *loc) []clause {
	if reason := cmp.Or(p.unnamed(d.When), p.unnamed(d.Then)); reason != "" {
		return []clause{{reason: reason}}
	}
	when, then := p.b.rulesOf.IsSet(at.x, d.When), p.b.rulesOf.IsSet(at.x, d.Then)
	c := clause{message: fmt.Sprintf("must be set when %s is set", d.When.JSON), kind: apiextensionsv1.FieldValueRequired}
	if d.Forbidden {
		then = expr.Not(then)
		c.message, c.kind = fmt.Sprintf("may not be set when %s is set", d.When.JSON), apiextensionsv1.FieldValueForbidden
	}
	c.holds, c.path = where(at.there(), expr.Implies(when, then)), append(at.path(), d.Then.JSON)
	c.unless = p.unchanged(at, at.wasThere(), equal(func(at *loc) []expr.Expr {
		return []expr.Expr{p.b.rulesOf.IsSet(at.x, d.When), p.b.rulesOf.IsSet(at.x, d.Then)}
	}))
	return []clause{c}
}

// eachClause returns the clause for all values or keys from that for one.
func (p *projector) eachClause(r rule.Rule, must *rule.Each, at *loc) []clause {
	var reason rule.Reason
	holds := expr.All(at.x, func(i expr.Expr) expr.Expr {
		x := i
		if !must.Keys && at.place.Underlying(p.b.model).Kind == model.KindMap {
			x = expr.At(at.x, i)
		}
		var all []expr.Expr
		for _, c := range p.all(must.Rules, &loc{place: must.Place, x: x}) {
			if c.reason != "" {
				reason = c.reason
				continue
			}
			all = append(all, c.holds)
		}
		return expr.And(all...)
	})
	if at.place.Underlying(p.b.model).Kind == model.KindMap {
		holds = expr.Keyed(holds)
	}
	var out []clause
	if reason != "" {
		out = p.none(r, reason)
	}
	if c, ok := holds.(*expr.Comprehension); ok {
		if v, constant := expr.Constant(c.Body); constant && v == true {
			return out
		}
	}
	message := "must satisfy " + r.Text
	if must.Keys {
		message = "every key must satisfy " + must.Rules[0].Text
	}
	return append(out, clause{holds: where(at.there(), holds), message: message, path: at.path()})
}

// itemClause returns the clause for the items with the keys.
func (p *projector) itemClause(r rule.Rule, must *rule.Item, at *loc) []clause {
	var reason rule.Reason
	holds := expr.All(at.x, func(i expr.Expr) expr.Expr {
		has, why := p.b.rulesOf.HasKeys(i, must.Keys)
		if why != "" {
			reason = why
			return expr.Bool(true)
		}
		var all []expr.Expr
		for _, c := range p.all(must.Rules, &loc{place: must.Place, x: i}) {
			if c.reason != "" {
				reason = c.reason
				continue
			}
			all = append(all, c.holds)
		}
		return expr.Implies(has, expr.And(all...))
	})
	if reason != "" {
		return p.none(r, reason)
	}
	return []clause{{holds: where(at.there(), holds), message: "must satisfy " + r.Text, path: at.path()}}
}

// modes returns the clauses of the field in each mode under the projection. Other modes forbid the
// field.
func (p *projector) modes(m *rule.Modes, at *loc) []clause {
	mode := p.b.rulesOf.OrZero(at.x, m.Discriminator)
	projection := p.b.projectionOf(p.owner.Package)
	var out []clause
	var named []expr.Expr
	for _, c := range m.Cases {
		value, ok := rule.CELConstant(c.Value)
		if !ok || !p.isMode(c) {
			continue
		}
		named = append(named, value)
		var rules []rule.Rule
		for _, r := range c.Rules {
			if holds, _ := projection.Holds(r.Under); holds && len(r.Unless) == 0 {
				rules = append(rules, r)
			}
		}
		for _, in := range p.all(rules, &loc{in: at, field: m.Field.JSON, place: m.Place}) {
			if in.reason == "" {
				in.holds = expr.Or(expr.Ne(mode, value), in.holds)
			}
			out = append(out, in)
		}
	}
	if len(named) > 0 {
		set := p.b.rulesOf.IsSet(at.x, m.Field)
		out = append(out, clause{
			holds:   where(at.there(), expr.Implies(set, expr.In(mode, expr.ListOf(named...)))),
			message: "Forbidden", kind: apiextensionsv1.FieldValueForbidden, path: append(at.path(), m.Field.JSON),
		})
	}
	same := p.unchanged(at, at.wasThere(), func(at, before *loc) []expr.Expr {
		name := m.Field.JSON
		has := expr.Has(at.x, name)
		return []expr.Expr{
			expr.Eq(p.b.rulesOf.OrZero(at.x, m.Discriminator), p.b.rulesOf.OrZero(before.x, m.Discriminator)),
			expr.Eq(has, expr.Has(before.x, name)), expr.Or(expr.Not(has), expr.Eq(expr.Get(at.x, name), expr.Get(before.x, name))),
		}
	})
	for i, c := range out {
		if c.reason == "" && !expr.Uses(c.holds, expr.OldSelfName) {
			out[i].exempt(same)
		}
	}
	return out
}

// isMode reports whether a tag names the mode under the projection.
func (p *projector) isMode(c rule.Mode) bool {
	projection := p.b.projectionOf(p.owner.Package)
	return slices.ContainsFunc(c.Named, func(under []rule.Condition) bool {
		holds, _ := projection.Holds(under)
		return holds
	})
}
