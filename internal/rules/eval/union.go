package eval

import (
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// changed reports whether an update changes the inputs of a relation between fields or items: which
// of them are set, and a discriminator.
func (e *evaluation) changed(r *rule.Rule, p *place) bool {
	v, old := p.v.deref(), p.old.deref()
	switch m := r.Must.(type) {
	case *rule.Dependent:
		return isSet(v, m.When) != isSet(old, m.When) || isSet(v, m.Then) != isSet(old, m.Then)
	case *rule.Union:
		if m.Mixed {
			return true // the union checks this itself
		}
		return e.unionChanged(m, p)
	}
	return true
}

// unionChanged ignores members whose conditions are false, if members have different conditions. A
// list that was empty did not exist, unless it is behind a pointer.
func (e *evaluation) unionChanged(u *rule.Union, p *place) bool {
	v, old := p.v.deref(), p.old.deref()
	if u.Members[0].Field == nil && !u.ZeroOrOne && p.v.typ.form != pointerForm && len(old.parts) == 0 && len(v.parts) > 0 {
		return true
	}
	if d := u.Discriminator; d != nil {
		now, before := selected(v, d.Field), selected(old, d.Field)
		if (now == nil) != (before == nil) || now != nil && !equal(now, before) {
			return true
		}
	}
	for i := range u.Members {
		m := &u.Members[i]
		if (!u.Mixed || e.enabled(m.Under)) && isMember(m, v) != isMember(m, old) {
			return true
		}
	}
	return false
}

// isMember reports whether a member of a union is set in a struct or list.
func isMember(m *rule.Member, v *value) bool {
	if m.Field != nil {
		return isSet(v, *m.Field)
	}
	item, _ := find(v, m.Keys)
	return item != nil
}

// union checks which members of a union are set. Members can have different conditions. If the
// conditions of the discriminator are false, the union has none.
func (e *evaluation) union(u *rule.Union, p *place) bool {
	v := p.v.deref()
	if u.IsPlain() {
		return e.plain(u, p)
	}
	if !u.Mixed {
		if u.Discriminator == nil {
			return e.counted(u, p.at, v)
		}
		return e.chosen(u, p.at, v)
	}
	discriminated := u.Discriminator != nil && e.optionsAre(p.at, u.Discriminator.Under, nil)
	switch {
	case !u.Strict && p.hasOldValue() && !e.unionChanged(u, p):
		return true
	case discriminated:
		return e.chosen(u, p.at, v)
	}
	return e.counted(u, p.at, v)
}

// plain checks a union by its table.
func (e *evaluation) plain(u *rule.Union, p *place) bool {
	table := e.set.tables[u]
	if table == nil {
		table = unions.Union{Union: u}.Table(e.set.model)
		e.set.tables[u] = table
	}
	v, old := p.v.deref(), p.old.deref()
	exists, modified, d := p.hasOldValue(), false, ""
	if u.Discriminator != nil {
		d = selected(v, u.Discriminator.Field).scalar()
		modified = !exists || d != selected(old, u.Discriminator.Field).scalar()
	}
	set := make([]bool, len(u.Members))
	for i := range u.Members {
		set[i] = isMember(&u.Members[i], v)
	}
	return table.Report(&e.run, p.at, unionState{d, set}, exists, modified)
}

// unionState is a struct as its unions see it.
type unionState struct {
	discriminator string
	set           []bool
}

func (s unionState) Discriminator() string { return s.discriminator }
func (s unionState) IsSet(member int) bool { return s.set[member] }

// counted checks a union without a discriminator.
func (e *evaluation) counted(u *rule.Union, at *validate.Path, v *value) bool {
	mark := e.run.Mark()
	names, set := make([]string, len(u.Members)), make([]bool, len(u.Members))
	asked := map[string]bool{}
	level := rule.Level("")
	for i := range u.Members {
		m := &u.Members[i]
		names[i], set[i] = m.Name, true
		if u.Mixed {
			level = rule.Weakest(level, rule.LevelOf(m.Under))
			set[i] = e.optionsAre(at, m.Under, asked)
		}
		set[i] = set[i] && isMember(m, v)
	}
	check := validate.ExactlyOneOf
	if u.ZeroOrOne {
		check = validate.AtMostOneOf
	}
	if check(&e.run, at, names, set...) {
		return true
	}
	e.mark(mark, level)
	return false
}

// chosen checks a union with a discriminator.
func (e *evaluation) chosen(u *rule.Union, at *validate.Path, v *value) bool {
	ok := true
	asked := map[string]bool{}
	d := u.Discriminator
	value := selected(v, d.Field)
	for i := range u.Members {
		m := &u.Members[i]
		if u.Mixed && !e.optionsAre(at, m.Under, asked) {
			continue
		}
		mark := e.run.Mark()
		selects := value != nil && value.scalar() == m.Value
		if validate.UnionMember(&e.run, at, isMember(m, v), selects, m.Name, d.Field.JSON, m.Value) {
			continue
		}
		ok = false
		if u.Mixed {
			e.mark(mark, rule.Weakest(rule.LevelOf(d.Under), rule.LevelOf(m.Under)))
		}
	}
	return ok
}

// optionsAre reports whether all option conditions of a member are true. It reports an undefined
// option once.
func (e *evaluation) optionsAre(at *validate.Path, under []rule.Condition, asked map[string]bool) bool {
	on := true
	for _, c := range rule.Options(under) {
		silent := !on || asked[c.Option]
		if asked != nil {
			asked[c.Option] = true
		}
		mark := e.run.Mark()
		if silent {
			on = on && e.on(c)
		} else {
			on = e.asks(at, c)
			e.mark(mark, rule.LevelOf(under))
		}
	}
	return on
}
