package validation

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// part writes the rules for a part of a value.
func (b *body) part(p place, part *tag.Part) {
	if part.Field != nil {
		b.subfield(p, part)
	} else {
		b.itemPart(p, part)
	}
}

// subfield writes rules for a field of the struct at a place.
func (b *body) subfield(p place, part *tag.Part) {
	b.p("// ", part.Field.JSON)
	if slices.ContainsFunc(part.Through, isPointer) {
		b.depth++ // for names of its own
		defer func() { b.depth-- }()
	}
	inner := b.fieldOf(p, part)
	b.p("if ", b.changed(inner), " {")
	b.p("at := ", b.parent(p), ".Child(", quote(part.Field.JSON), ")")
	b.rules(inner, slices.Concat(part.Rules, part.Unless), false)
	b.p("}")
}

// fieldOf returns the place of a field of the struct at a place. Below an
// inlined pointer that is nil the field is what it is when it is unset: its
// zero value.
func (b *body) fieldOf(p place, part *tag.Part) place {
	value, nils := selected(base(p.addr), part)
	inner := place{node: part.Node, value: value, addr: "&" + value, at: "&at"}
	old, oldNils := "", ""
	if hasOld := b.hasOldValue(p); hasOld != "false" {
		old, oldNils = selected(base(p.oldAddr), part)
		inner.hasOld = hasOld
	}
	if nils != "" {
		typ := b.g.file.Type(part.Field.Type)
		inner.value, inner.addr = b.local("new"+part.Field.Name, typ, nils, value)
		if old != "" {
			old, _ = b.local("old"+part.Field.Name, typ, inner.hasOld+" && "+oldNils, old)
		}
	}
	if old != "" {
		inner.old, inner.oldAddr = old, "&"+old
	}
	if part.Node.IsPointer() {
		inner.addr, inner.oldAddr = inner.value, inner.old
	}
	return inner
}

// local declares a variable for a value that is there under a condition.
func (b *body) local(base, typ, condition, value string) (name, address string) {
	name = b.name(base)
	b.p("var ", name, " ", typ)
	b.p("if ", condition, " {")
	b.p(name, " = ", value)
	b.p("}")
	return name, "&" + name
}

func isPointer(f *model.Field) bool { return f.Type.Kind == model.KindPointer }

// selected spells the field of a struct, and the condition that no inlined
// pointer on the way to it is nil; "" when there is none.
func selected(base string, part *tag.Part) (field, nils string) {
	field, there := tag.Select(base, part.Through, part.Field)
	return field, strings.Join(there, " && ")
}

// mode returns the expression of a discriminator of the struct at an address,
// which is valid under a condition. Below an inlined pointer that is nil the
// discriminator is unset.
func (b *body) mode(name, addr, condition string, f *model.Field, through []*model.Field) string {
	value, there := tag.Select(base(addr), through, f)
	if len(there) == 0 {
		return value
	}
	if condition != "" {
		there = append([]string{condition}, there...)
	}
	name, _ = b.local(name, b.g.file.Type(f.Type), tag.All(there), value)
	return name
}

// changed is the condition for a place to be new or not what it was.
func (b *body) changed(p place) string {
	if p.hasOld == "" {
		return "true"
	}
	return tag.Not(p.hasOld) + " || " + b.g.equals.not(p.node.Type, p.value, p.old)
}

// itemPart writes rules for the item of a list that has certain keys: the first
// one, if there is any.
func (b *body) itemPart(p place, part *tag.Part) {
	b.depth++
	defer func() { b.depth-- }()
	i, item, old := b.name("i"), b.name("item"), b.name("old")
	address := "&"
	if part.Node.IsPointer() {
		address = ""
	}
	list := b.deref(p)
	b.p("if ", i, " := ", b.index(p, part.Keys, list), "; ", i, " >= 0 {")
	b.p(item, " := ", address, paren(list), "[", i, "]")
	node := *part.Node
	node.Type = part.Node.Value()
	inner := place{node: &node, value: "*" + item, addr: item, at: "&at"}
	if hasOld := b.hasOldValue(p); hasOld != "false" {
		oldList := b.derefOld(p)
		b.p("var ", old, " *", b.g.file.Type(node.Type))
		b.p("if ", hasOld, " {")
		b.p("if j := ", b.index(p, part.Keys, oldList), "; j >= 0 {")
		b.p(old, " = ", address, paren(oldList), "[j]")
		b.p("}")
		b.p("}")
		inner.hasOld, inner.old, inner.oldAddr = old+" != nil", "*"+old, old
		b.p("if ", b.changed(inner), " {")
	}
	b.p("at := ", b.parent(p), ".Index(", i, ")")
	b.rules(inner, part.Rules, false)
	if inner.hasOld != "" {
		b.p("}")
	}
	b.p("}")
}

// index is the index in a list, which is of the type of the one at a place, of
// the item with certain keys.
func (b *body) index(p place, keys []tag.KeyValue, list string) string {
	index := "Index"
	if p.node.Elem().IsPointer() {
		index = "IndexPtr"
	}
	return b.g.file.Ident(validatePkg, index) + "(" + list + ", " + b.g.items.match(p.node, keys) + ")"
}

// modes writes the rules that a field of the struct at a place has in the
// struct's mode.
func (b *body) modes(p place, m *tag.Modes) {
	part := &tag.Part{Node: m.Node, Field: m.Node.Field, Through: m.Node.Through}
	_, through := m.Node.Sibling(m.Discriminator.JSON)
	if slices.ContainsFunc(slices.Concat(part.Through, through), isPointer) {
		b.depth++ // for names of its own
		defer func() { b.depth-- }()
	}
	if b.written {
		b.p()
	}
	b.p("// ", part.Field.JSON, ", by ", m.Discriminator.JSON)
	inner := b.fieldOf(p, part)
	mode := b.mode("mode", p.addr, "", m.Discriminator, through)
	if inner.hasOld != "" {
		oldMode := b.mode("oldMode", p.oldAddr, inner.hasOld, m.Discriminator, through)
		b.p("if ", tag.Not(inner.hasOld), " || ", mode, " != ", oldMode, " || ", b.g.equals.not(part.Field.Type, inner.value, inner.old), " {")
	} else {
		b.p("{")
	}
	b.p("at := ", b.parent(p), ".Child(", quote(part.Field.JSON), ")")
	b.p("mark := r.Mark()")
	b.p("switch ", mode, " {")
	for _, c := range m.Cases {
		b.p("case ", c.Value, ":")
		if effective(c.Rules) {
			b.rules(inner, c.Rules, false)
		}
	}
	b.p("default:")
	b.rules(inner, m.Forbidden, false)
	b.p("}")
	b.p("r.UnmarkShortCircuit(mark) // the field's own rules follow")
	b.p("}")
}
