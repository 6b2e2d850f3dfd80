package eval

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// Normalize returns an object without the union members that an update deselects by changing
// discriminators, and the paths of cleared members. It does not change an object that does not fit
// its type.
func (s *Set) Normalize(name TypeName, object, old map[string]any) (out map[string]any, cleared []string, err error) {
	t, err := s.goType(name)
	if err != nil || old == nil {
		return object, nil, err
	}
	n := &normalizer{set: s, run: &validate.Run{}}
	d := &decoder{run: n.run}
	v, before := d.decode(t, nil, object), d.decode(t, nil, old)
	if len(d.malformed) > 0 {
		return object, nil, nil
	}
	out, _ = clone(object).(map[string]any)
	n.value(s.programs.ValueOf(t.ref), v, before, out, nil)
	return out, n.cleared, nil
}

// normalizer clears members in JSON values.
type normalizer struct {
	set     *Set
	run     *validate.Run
	cleared []string
}

// value visits the values that can be correlated with old values: fields by name, map values by
// key, items of a list of type map by their keys.
func (n *normalizer) value(p *rule.Place, v, old *value, raw any, at *validate.Path) {
	if v, old = v.deref(), old.deref(); v == nil || old == nil {
		return
	}
	switch raw := raw.(type) {
	case map[string]any:
		if v.typ.form == structForm {
			n.structure(v, old, raw, at)
			return
		}
		if v.typ.form != mapForm {
			return
		}
		for _, key := range sortedKeys(v.entries) {
			if before, found := old.entries[key]; found {
				at := at.Key(key)
				n.value(n.set.programs.Elem(p), v.entries[key], before, raw[key], &at)
			}
		}
	case []any:
		if v.typ.form != listForm || p.List == nil || p.List.Type != rule.Map || len(p.List.Keys) == 0 {
			return
		}
		id, olds := &identity{keys: p.List.Keys}, items(old)
		var cursor validate.Cursor
		defer cursor.Free()
		for i, item := range items(v) {
			if item == nil {
				continue
			}
			if before := validate.LookupPtr(olds, &cursor, item, id.hash, id.same); before != nil {
				at := at.Index(i)
				n.value(n.set.programs.Elem(p), item, before, raw[i], &at)
			}
		}
	}
}

func (n *normalizer) structure(v, old *value, raw map[string]any, at *validate.Path) {
	decl := n.set.model.Struct(v.typ.ref)
	if decl == nil {
		return
	}
	gone := map[string]bool{}
	for _, f := range decl.Fields {
		for _, r := range n.set.programs.Field(decl, f).Around {
			if u, ok := r.Must.(*rule.Union); ok && u.Discriminator != nil {
				n.union(u, v, old, raw, at, gone)
			}
		}
	}
	for i, f := range v.typ.fields {
		if !f.Exported() || gone[f.Name] {
			continue
		}
		place := n.set.programs.Field(decl, f.Field).Place
		if f.inlined {
			n.value(place, v.parts[i], old.parts[i], raw, at)
			continue
		}
		at := at.Child(f.jsonName())
		n.value(place, v.parts[i], old.parts[i], raw[f.jsonName()], &at)
	}
}

// union clears the members that a changed discriminator does not select. An unknown value clears
// nothing: validation rejects it.
func (n *normalizer) union(u *rule.Union, v, old *value, raw map[string]any, at *validate.Path, gone map[string]bool) {
	now, before := selected(v, u.Discriminator.Field), selected(old, u.Discriminator.Field)
	if now == nil || before == nil || equal(now, before) {
		return
	}
	chosen := slices.IndexFunc(u.Members, func(m rule.Member) bool { return m.Value == now.scalar() })
	if chosen < 0 && !n.selectsNone(u, now) {
		return
	}
	for i, m := range u.Members {
		if i == chosen || m.Field == nil {
			continue
		}
		gone[m.Field.Name] = true
		if _, given := raw[m.Field.JSON]; given {
			delete(raw, m.Field.JSON)
			at := at.Child(m.Field.JSON)
			n.cleared = append(n.cleared, n.run.FieldPath(&at).String())
		}
	}
}

// selectsNone reports whether a discriminator's value selects no member: another value of its enum,
// or no value if the discriminator is optional.
func (n *normalizer) selectsNone(u *rule.Union, d *value) bool {
	path := u.Discriminator.Field
	if d.scalar() == "" {
		through, f := path.Fields(n.set.model)
		owner := n.set.model.Type(path.Struct)
		if len(through) > 0 {
			owner = n.set.model.Struct(through[len(through)-1].Type)
		}
		required := slices.ContainsFunc(n.set.programs.Field(owner, f).Rules, func(r rule.Rule) bool {
			m, ok := r.Must.(*rule.Required)
			return ok && !m.Defaulted
		})
		if !required {
			return true
		}
	}
	_, chain := n.set.model.Resolve(path.Type)
	for _, t := range chain {
		for _, r := range n.set.programs.Of(t).Rules {
			if enum, ok := r.Must.(*rule.Enum); ok {
				return slices.ContainsFunc(enum.Values, func(v rule.EnumValue) bool { return v.Value == d.scalar() })
			}
		}
	}
	return false
}
