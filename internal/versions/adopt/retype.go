package adopt

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
)

// changeOf returns the change of an item, to which its differences add.
func (p *proposer) changeOf(d *difference) *change {
	for _, c := range p.pending {
		if c.by.newField == d.newField && c.by.newConst == d.newConst && c.by.generated == d.generated {
			return c
		}
	}
	c := &change{by: d}
	p.pending = append(p.pending, c)
	return c
}

// change notes that the Go name or the type of a matched item differs.
func (p *proposer) change(d *difference) {
	switch {
	case d.newConst != nil && d.aspect == goName:
		c := p.changeOf(d)
		c.fromName, c.fromGoName = d.oldConst.Value, d.oldConst.Name
	case d.newField == nil:
	case d.aspect == goName && d.oldField.JSON != "" && d.oldField.Embedded == d.newField.Embedded:
		c := p.changeOf(d)
		c.fromName, c.fromGoName = d.oldField.JSON, d.oldField.Name
	case d.aspect == typed && p.spells(d.oldField.Type):
		var c change
		p.retype(&c, d.oldField, d.newField)
		if answer := p.renames[d.item]; answer != "" {
			c.transform, c.upgrade, c.downgrade = answer, "", ""
		}
		if c.transform != "" {
			var ok bool
			if c.transform, ok = p.guess(&Guess{From: d.item, To: c.transform, Says: byTransform, Old: d.span, New: d.newField.Span}, d); !ok {
				return
			}
		}
		p.retyped(p.changeOf(d), &c)
	}
}

// retyped adds the change of a type to that of an item.
func (p *proposer) retyped(c, typed *change) {
	c.fromType, c.upgrade, c.downgrade, c.transform, c.wrapped = typed.fromType, typed.upgrade, typed.downgrade, typed.transform, typed.wrapped
}

// rename notes that an item had another name.
func (p *proposer) rename(old, generated *difference) {
	d := *generated
	d.oldField, d.oldConst, d.old, d.span = old.oldField, old.oldConst, old.old, old.span
	c := p.changeOf(&d)
	if f := d.oldField; f != nil {
		c.fromName = f.JSON
		if evolve.GoName(f.JSON) != f.Name {
			c.fromGoName = f.Name
		}
		if !model.SameGo(f.Type, d.newField.Type) {
			p.retype(c, f, d.newField)
		}
		return
	}
	k, g := d.oldConst, d.newConst
	if c.fromName = k.Value; evolve.ConstName(g.Name, g.Value, k.Value, g.IsString) != k.Name {
		c.fromGoName = k.Name
	}
}

// retype notes that the type of a field differs, and how its values convert.
func (p *proposer) retype(c *change, old, generated *model.Field) {
	from, to := p.inHub(old.Type), p.inHub(generated.Type)
	c.fromType = p.spell(old.Type)
	c.upgrade, c.downgrade = p.function(generated, from, to), p.function(generated, to, from)
	byFunctions := named(c.upgrade, generated) && named(c.downgrade, generated)
	if list := p.model.Underlying(to); list.Kind == model.KindSlice && !list.IsBytes() && !byFunctions {
		single := list.Elem
		if model.SameGo(from, single) || from.Kind == model.KindPointer && model.SameGo(from.Elem, single) {
			c.wrapped, c.upgrade, c.downgrade = true, "", ""
			pointer := generated.OmitEmpty && p.model.Underlying(single).Kind == model.KindStruct
			if pointer == (from.Kind == model.KindPointer) {
				c.fromType = ""
			}
			return
		}
		if transform := p.transform(old.JSON, generated.JSON, from, single); transform != "" && p.keyed(from, to) == "" {
			c.wrapped, c.transform, c.upgrade, c.downgrade = true, transform, "", ""
			return
		}
	}
	if p.model.Lossless(from, to) && p.model.Lossless(to, from) {
		c.upgrade, c.downgrade = "", ""
		return
	}
	if c.upgrade != "" && (c.downgrade != "" || p.model.Lossless(to, from)) || c.downgrade != "" && p.model.Lossless(from, to) {
		return
	}
	c.upgrade, c.downgrade = "", ""
	c.transform = p.transform(old.JSON, generated.JSON, from, to)
}

// function returns the function of the hub that converts between two types: the only one, or the only one that
// is named like the field.
func (p *proposer) function(field *model.Field, from, to *model.Ref) string {
	var all, alike []string
	for name, f := range p.hub.Funcs {
		fits := len(f.Params) == 1 && model.SameGo(f.Params[0], from) && (len(f.Results) == 1 || len(f.Results) == 2 && f.Results[1].Name == "error") &&
			model.SameGo(f.Results[0], to)
		if r, _ := utf8.DecodeRuneInString(name); !fits || !unicode.IsUpper(r) {
			continue
		}
		if all = append(all, name); named(name, field) {
			alike = append(alike, name)
		}
	}
	switch {
	case len(alike) == 1:
		return alike[0]
	case len(all) == 1:
		return all[0]
	}
	return ""
}

// named reports whether the name of a function has that of a field.
func named(function string, f *model.Field) bool { return strings.Contains(function, f.Name) }

// transform returns the transform that converts between two types, "" if none is obvious.
func (p *proposer) transform(oldName, newName string, from, to *model.Ref) string {
	a, _ := p.model.Deref(from)
	b, _ := p.model.Deref(to)
	name := newName
	if p.model.Underlying(a).IsInteger() {
		a, b, name = b, a, oldName
	}
	if t := p.scalarTransform(name, a, b); t != "" {
		return t
	}
	if keyed := p.keyed(a, b) + p.keyed(b, a); keyed != "" {
		return keyed
	}
	return cmp.Or(p.structTransform(a, b), p.structTransform(b, a))
}

// scalarTransform returns the transform between a text or number a and a scalar b, whose unit is in its name.
func (p *proposer) scalarTransform(name string, a, b *model.Ref) string {
	text, last := p.model.Underlying(a).IsString(), ""
	if list := words(name); len(list) > 0 {
		last = list[len(list)-1]
	}
	switch {
	case text && p.model.Underlying(b).IsBool():
		return "bool"
	case !p.model.Underlying(b).IsInteger():
		return ""
	case (text || p.model.Is(a, model.Duration)) && (last == "seconds" || last == "second"):
		return "seconds"
	case (text || p.model.Is(a, model.Duration)) && (last == "milliseconds" || last == "millis"):
		return "milliseconds"
	case p.model.Is(a, model.Quantity):
		for _, unit := range []string{"Ki", "Mi", "Gi", "Ti", "Pi"} {
			if strings.HasSuffix(name, unit) || strings.HasSuffix(name, unit+"B") {
				return "quantity(" + unit + ")"
			}
		}
		return "quantity"
	case text:
		return "integer"
	}
	return ""
}

// structTransform returns the transform between a value and a struct that has it as a field, or its parts.
func (p *proposer) structTransform(value, object *model.Ref) string {
	t := p.model.Struct(object)
	if t == nil {
		return ""
	}
	if len(t.Fields) == 1 && t.Fields[0].JSON != "" && model.SameGo(t.Fields[0].Type, value) {
		return "field(" + t.Fields[0].JSON + ")"
	}
	if pattern := p.partsOf(t); pattern != "" && p.model.Underlying(value).IsString() {
		return "split(" + pattern + ")"
	}
	return ""
}

// partsOf returns the pattern of a string that a struct of scalars was, with usual texts between the parts or colons; "" for
// other structs.
func (p *proposer) partsOf(t *model.Type) (pattern string) {
	for i, f := range t.Fields {
		u := p.model.Underlying(single(f.Type))
		if f.Inline || f.JSON == "" || !u.IsString() && !u.IsInteger() && !u.IsBool() {
			return ""
		}
		part := "{" + f.JSON + "}"
		if i > 0 {
			part = cmp.Or(usualSeparator(t.Fields[i-1], f), ":") + part
			if f.OmitEmpty || f.Type.Kind == model.KindPointer {
				part = "[" + part + "]"
			}
		}
		pattern += part
	}
	if len(t.Fields) < 2 {
		return ""
	}
	return pattern
}

// keyed returns the transform between a map and a list of its entries, "" if they are no such types.
func (p *proposer) keyed(a, b *model.Ref) string {
	m, list := p.model.Underlying(a), p.model.Underlying(b)
	if m.Kind != model.KindMap || list.Kind != model.KindSlice {
		return ""
	}
	item, entry := p.model.Struct(list.Elem), p.model.Struct(m.Elem)
	if item == nil {
		return ""
	}
	var keys, others []*model.Field
	for _, f := range item.Fields {
		switch {
		case entry != nil && entry.FieldByJSON(f.JSON) != nil:
		case p.model.Underlying(f.Type).IsString() && len(keys) == 0:
			keys = append(keys, f)
		default:
			others = append(others, f)
		}
	}
	switch {
	case len(keys) != 1:
	case entry != nil && len(others) == 0 && len(item.Fields) == len(entry.Fields)+1:
		return "keyed(" + keys[0].JSON + ")"
	case len(item.Fields) == 2 && len(others) == 1 && model.SameGo(others[0].Type, m.Elem):
		return "keyed(" + keys[0].JSON + ", " + others[0].JSON + ")"
	}
	return ""
}

// deprecatedSince returns the first version whose comment deprecates an item, of those without a gap.
func (p *proposer) deprecatedSince(d *difference) string {
	for _, q := range p.versions {
		t := q.Type(d.old.Name)
		if q.Version == p.old.Version {
			break
		}
		switch {
		case t == nil:
		case d.oldField != nil && counterpart(d.oldField, t) != nil && model.IsDeprecated(counterpart(d.oldField, t).Doc), d.oldField == nil && d.oldConst == nil && model.IsDeprecated(t.Doc):
			return q.Version
		}
	}
	return p.old.Version
}

// flush adds the marker of a change.
func (p *proposer) flush(c *change) {
	if c.wrapped {
		p.mark(c.by, model.RoleWrapped, "since", p.since, "fromName", c.fromName, "fromType", c.fromType, "transform", c.transform)
		return
	}
	p.mark(c.by, model.RoleChanged, "since", p.since, "fromName", c.fromName, "fromGoName", c.fromGoName, "fromType", c.fromType,
		"upgradeWith", c.upgrade, "downgradeWith", c.downgrade, "transform", c.transform)
}
