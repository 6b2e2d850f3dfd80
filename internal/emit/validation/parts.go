package validation

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/tag"
)

// parts writes the rules for parts of a value.
func (b *body) parts(p place, rules []tag.Rule) {
	e := b.exprs(p)
	for _, r := range rules {
		if r.Part == nil || !effective(r.Part.Rules) {
			continue
		}
		if r.If != nil {
			b.p("if ", r.If(e), " {")
		}
		if r.Part.Field != nil {
			b.subfield(p, r.Part)
		} else {
			b.itemPart(p, r.Part)
		}
		if r.If != nil {
			b.p("}")
		}
	}
}

// subfield writes rules for a field of the struct at a place.
func (b *body) subfield(p place, part *tag.Part) {
	f := part.Field
	base := strings.TrimPrefix(p.addr, "&")
	inner := place{node: part.Node, value: base + "." + f.Name, addr: "&" + base + "." + f.Name, at: "&at"}
	if part.Node.IsPointer() {
		inner.addr = inner.value
	}
	if p.hasOld != "" {
		oldBase := strings.TrimPrefix(p.oldAddr, "&")
		inner.hasOld, inner.old, inner.oldAddr = p.hasOld, oldBase+"."+f.Name, "&"+oldBase+"."+f.Name
		if p.node.IsPointer() && oldBase != "oldObj" && !strings.HasPrefix(p.hasOld, oldBase+" ") {
			inner.hasOld = p.hasOld + " && " + oldBase + " != nil"
		}
		if part.Node.IsPointer() {
			inner.oldAddr = inner.old
		}
	}
	b.p("// ", f.JSON)
	if inner.hasOld != "" {
		b.p("if !(", inner.hasOld, ") || ", b.g.equals.not(f.Type, inner.value, inner.old), " {")
	} else {
		b.p("{")
	}
	b.p("at := ", b.parent(p), ".Child(", quote(f.JSON), ")")
	b.rules(inner, part.Rules, false)
	b.p("}")
}

// itemPart writes rules for the item of a list that has certain keys: the first
// one, if there is any.
func (b *body) itemPart(p place, part *tag.Part) {
	b.depth++
	defer func() { b.depth-- }()
	i, item, old := b.name("i"), b.name("item"), b.name("old")
	match := b.g.items.match(p.node, part.Keys)
	index := b.g.file.Ident(validatePkg, "Index")
	address := "&"
	if part.Node.IsPointer() {
		index, address = b.g.file.Ident(validatePkg, "IndexPtr"), ""
	}
	b.p("if ", i, " := ", index, "(", b.deref(p), ", ", match, "); ", i, " >= 0 {")
	b.p(item, " := ", address, paren(b.deref(p)), "[", i, "]")
	node := *part.Node
	node.Type = part.Node.Value()
	inner := place{node: &node, value: "*" + item, addr: item, at: "&at"}
	if p.hasOld != "" {
		oldList := b.derefOld(p)
		b.p("var ", old, " *", b.g.file.Type(node.Type))
		b.p("if ", p.hasOld, " {")
		b.p("if j := ", index, "(", oldList, ", ", match, "); j >= 0 {")
		b.p(old, " = ", address, paren(oldList), "[j]")
		b.p("}")
		b.p("}")
		inner.hasOld, inner.old, inner.oldAddr = old+" != nil", "*"+old, old
		b.p("if ", old, " == nil || ", b.g.equals.not(node.Type, "*"+item, "*"+old), " {")
	}
	b.p("at := ", b.parent(p), ".Index(", i, ")")
	b.rules(inner, part.Rules, false)
	if p.hasOld != "" {
		b.p("}")
	}
	b.p("}")
}
