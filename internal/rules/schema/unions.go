package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// union returns the clauses of the members that exist under the options and the level
// of the schema. Clauses of a discriminated union report at the member's path.
func (p *projector) union(u *rule.Union, at *loc) []clause {
	projection := p.b.projectionOf(p.owner.Package)
	var members []rule.Member
	for _, m := range u.Members {
		if holds, _ := projection.Holds(m.Under); holds {
			members = append(members, m)
		}
	}
	if len(members) == 0 {
		return nil
	}
	discriminated := u.Discriminator != nil && u.Text != rule.Older
	if discriminated {
		discriminated, _ = projection.Holds(u.Discriminator.Under)
	}
	for _, m := range members {
		if _, reason := p.isMember(m, at); reason != "" {
			return []clause{{reason: reason}}
		}
	}
	if d := u.Discriminator; discriminated && p.unnamed(d.Field) != "" {
		return []clause{{reason: p.unnamed(d.Field)}}
	}
	var out []clause
	if discriminated {
		out = p.discriminated(u, members, at)
	} else {
		out = p.undiscriminated(u, members, at)
	}
	if u.Strict && at.old == nil {
		p.cannotStrictly()
	}
	for i := range out {
		out[i].strict = u.Strict && at.old != nil
	}
	return out
}

// unnamed returns the reason why CEL cannot select a field, "" if it can.
func (p *projector) unnamed(f rule.FieldPath) rule.Reason {
	member := p.b.model.Object(p.b.model.Type(f.Struct)).Member(f.JSON)
	if member == nil {
		return ""
	}
	return rule.Reason(member.NotInCEL)
}

// selectable returns the members that CEL can select. It warns about the others, whose part of the rules is missing.
func (p *projector) selectable(members []rule.Member) []rule.Member {
	var named []rule.Member
	for _, m := range members {
		reason := rule.Reason("")
		if m.Field != nil {
			reason = p.unnamed(*m.Field)
		}
		if reason == "" {
			named = append(named, m)
			continue
		}
		if p.b.ours(p.owner.Package) {
			p.b.diags.Warnf(p.rule.Span, codeNotProjected, "API servers do not check whether member %s of the union of %s is set, since %s; they enforce the rest of the union", m.Name, p.owner.Name, reason).
				RestsOn(p.comment())
		}
	}
	return named
}

// cannotStrictly warns that the server does not check a strict union where nothing changed.
func (p *projector) cannotStrictly() {
	if p.b.ours(p.owner.Package) {
		p.b.diags.Warnf(p.rule.Span, codeNotProjected, "API servers check this union only if the list around it changes, in spite of +%s, because they do not correlate the items; use a list of type map",
			p.b.tags.WithRole(model.RoleUnionStrict))
	}
}

// unchanged returns the condition that an update leaves at a location what relates as it was; nil if
// the server has no old value. was are the conditions that the old values existed, same is what has
// to be the same in a location and in the old one.
func (p *projector) unchanged(at *loc, was []expr.Expr, same func(at, before *loc) []expr.Expr) expr.Expr {
	if at.old == nil {
		return nil
	}
	all := slices.Concat(was, same(at, at.before()))
	optional := &expr.List{Items: []expr.Item{{Value: expr.OldSelf(), Optional: true}}}
	return expr.WithVar(expr.Exists(optional, func(old expr.Expr) expr.Expr {
		return expr.Subst(expr.And(all...), expr.OldSelfName, old)
	}), "old")
}

// equal returns the conditions that a list of values is as before.
func equal(state func(at *loc) []expr.Expr) func(at, before *loc) []expr.Expr {
	return func(at, before *loc) []expr.Expr {
		old, all := state(before), state(at)
		for i, now := range all {
			all[i] = expr.Eq(now, old[i])
		}
		return all
	}
}

// same returns the condition that an update changes neither the discriminator nor which members are
// set, or that it does not change a discriminator that is unknown; nil if the server has no old value
// or the union is strict.
func (p *projector) same(u *rule.Union, at *loc, unknown expr.Expr) expr.Expr {
	if u.Strict {
		return nil
	}
	return p.unchanged(at, p.was(u, at), func(at, before *loc) []expr.Expr {
		members := equal(func(at *loc) []expr.Expr { return p.members(u, at) })(at, before)
		if u.Discriminator == nil {
			return members
		}
		d := u.Discriminator.Field
		same := expr.Eq(p.b.rulesOf.OrZero(at.x, d), p.b.rulesOf.OrZero(before.x, d))
		if unknown == nil {
			return append([]expr.Expr{same}, members...)
		}
		return []expr.Expr{same, expr.Or(unknown, expr.And(members...))}
	})
}

// members returns whether each member is set. Like in Go, that does not depend on the level.
func (p *projector) members(u *rule.Union, at *loc) []expr.Expr {
	var all []expr.Expr
	projection := p.b.projectionOf(p.owner.Package)
	for _, m := range u.Members {
		if holds, _ := projection.Holds(rule.Options(m.Under)); holds && (m.Field == nil || p.unnamed(*m.Field) == "") {
			is, _ := p.isMember(m, at)
			all = append(all, is)
		}
	}
	return all
}

// isMember is true if a member is set: a field of the struct, or an item of the list.
func (p *projector) isMember(m rule.Member, at *loc) (is expr.Expr, reason rule.Reason) {
	if m.Field != nil {
		return p.b.rulesOf.IsSet(at.x, *m.Field), ""
	}
	is = expr.Exists(at.x, func(i expr.Expr) expr.Expr {
		var has expr.Expr
		if has, reason = p.b.rulesOf.HasKeys(i, m.Keys); reason != "" {
			return expr.Bool(true)
		}
		return has
	})
	if at.in != nil { // an absent list has no members
		is = expr.And(expr.Has(at.in.x, at.field), is)
	}
	return is, reason
}

// was are the conditions that a union existed. An empty list exists only behind a pointer; another
// one existed, or does not exist now. If no item needs to be set, that does not matter.
func (p *projector) was(u *rule.Union, at *loc) []expr.Expr {
	if at.old == nil {
		return nil
	}
	if u.Members[0].Field != nil {
		return at.wasThere()
	}
	var was []expr.Expr
	if at.in != nil {
		was = at.in.wasThere()
	}
	if u.ZeroOrOne || at.place.IsPointer(p.b.model) {
		return was
	}
	exists := func(at *loc) expr.Expr {
		if at.in != nil {
			return p.isSet(at)
		}
		return expr.Gt(expr.Function("size", at.x), expr.Int(0))
	}
	return append(was, expr.Or(exists(at.before()), expr.Not(exists(at))))
}

// discriminated returns the clauses of a union with a discriminator.
func (p *projector) discriminated(u *rule.Union, members []rule.Member, at *loc) []clause {
	d := u.Discriminator
	named := p.selectable(members)
	var out []clause
	several := expr.Bool(false)
	if u.Text == rule.Newer && len(named) > 1 {
		var sets []expr.Expr
		for _, m := range named {
			sets = append(sets, p.b.rulesOf.IsSet(at.x, *m.Field))
		}
		several = expr.Gt(count(sets), expr.Int(1))
		out = append(out, clause{
			holds: where(at.there(), expr.Not(several)), path: at.path(),
			message: fmt.Sprintf("`%s` must be changed when changing members; it selects at most one of: %s", d.Field.JSON, u.Names(members)),
		})
	}
	for _, m := range named {
		out = append(out, p.member(u, m, several, at))
	}
	known, names := p.known(d, members, at)
	same := p.same(u, at, nil)
	exempt := same
	// If the discriminator's own schema rejects other values, then unless they are as before the update.
	alone := u.IsPlain() && !d.Open && u.Text != rule.Declarative && (at.old != nil || !u.Declared)
	switch unknown := expr.Not(known); {
	case !alone:
	case same == nil:
		exempt = unknown
	case u.Declared:
		exempt = p.same(u, at, unknown)
	default:
		exempt = expr.Or(unknown, same)
	}
	for i := range out {
		out[i].exempt(exempt)
	}
	if alone {
		c := clause{
			holds: where(at.there(), known), path: append(at.path(), d.Field.JSON), spare: true,
			message: "supported values: " + strings.Join(names, ", "),
		}
		c.exempt(same)
		out = append(out, c)
	}
	return out
}

// known is true if a discriminator has one of its values, whose names are for messages: first those
// that select a member.
func (p *projector) known(d *rule.Discriminator, members []rule.Member, at *loc) (known expr.Expr, names []string) {
	var values []expr.Expr
	add := func(value string) {
		if name := strconv.Quote(value); !slices.Contains(names, name) {
			values, names = append(values, expr.Str(value)), append(names, name)
		}
	}
	for _, m := range members {
		add(m.Value)
	}
	for _, v := range p.enumValues(d.Values) {
		add(v.Value)
	}
	has, in := expr.Has(at.x, d.Field.JSON), expr.In(expr.Get(at.x, d.Field.JSON), expr.ListOf(values...))
	if d.Allows("") {
		return expr.Or(expr.Not(has), in), names
	}
	return expr.And(has, in), names
}

// member returns the clause of one member: whether it is set, and whether it is selected. If several
// members are set, another clause reports those that are not selected.
func (p *projector) member(u *rule.Union, m rule.Member, several expr.Expr, at *loc) clause {
	d := u.Discriminator.Field.JSON
	set := p.b.rulesOf.IsSet(at.x, *m.Field)
	is := expr.And(expr.Has(at.x, d), expr.Eq(expr.Get(at.x, d), expr.Str(m.Value)))
	c := clause{path: append(at.path(), m.Name)}
	switch {
	case m.Optional:
		c.holds, c.message = expr.Or(is, expr.Not(set), several), fmt.Sprintf("may only be specified when `%s` is %q", d, m.Value)
	case u.Text == rule.Newer:
		c.holds = expr.Or(expr.Eq(is, set), expr.And(set, several))
	default:
		c.holds = expr.Eq(is, set)
	}
	if c.message == "" {
		c.message = fmt.Sprintf("must be specified when `%s` is %q, and only then", d, m.Value)
	}
	c.holds = where(at.there(), c.holds)
	return c
}

// count returns the number of conditions that are true.
func count(list []expr.Expr) expr.Expr {
	return expr.Method(expr.WithVar(expr.Filter(expr.ListOf(list...), func(set expr.Expr) expr.Expr { return set }), "set"), "size")
}

// undiscriminated returns the clause of a union without a discriminator.
func (p *projector) undiscriminated(u *rule.Union, members []rule.Member, at *loc) []clause {
	there := at.there()
	if members[0].Field == nil && at.in != nil {
		there = at.in.there()
	}
	named := p.selectable(members)
	if len(named) == 0 || len(named) == 1 && len(members) > 1 {
		return nil
	}
	sets := make([]expr.Expr, len(named))
	for i, m := range named {
		sets[i], _ = p.isMember(m, at)
	}
	holds := expr.Eq(count(sets), expr.Int(1))
	if u.ZeroOrOne || len(named) < len(members) { // another member may be the only one
		holds = expr.Le(count(sets), expr.Int(1))
	}
	c := clause{holds: where(there, holds), message: u.Wanted(members), path: at.path()}
	c.exempt(p.same(u, at, nil))
	return []clause{c}
}
