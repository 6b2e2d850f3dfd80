package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// subfield writes the rules of a subfield of the struct at a place.
func (b *body) subfield(p place, part *rule.Part, rules *order.Body) {
	b.p("// ", part.Field.JSON)
	if b.throughPointer(part.Field) {
		b.depth++ // a scope for its names
		defer func() { b.depth-- }()
	}
	inner := b.fieldOf(p, part.Field, part.Place)
	b.p("if ", b.changed(inner), " {")
	b.p("at := ", b.parent(p), ".Child(", quote(part.Field.JSON), ")")
	b.rules(inner, rules)
	b.p("}")
}

// fieldOf returns the place of a field of the struct at a place. If an inlined pointer is nil, the
// field has its zero value.
func (b *body) fieldOf(p place, f rule.FieldPath, of *rule.Place) place {
	value, there := b.g.selected(b.object(p), f)
	hasOld := b.hasOldValue(p)
	var old goexpr.Expr
	var oldThere []goexpr.Expr
	if !p.never() {
		old, oldThere = b.g.selected(b.oldObject(p), f)
	}
	if len(there) > 0 {
		typ := b.g.file.Type(f.Type)
		value = b.local("new"+f.Name, typ, goexpr.And(there...), value)
		if old != nil {
			old = b.local("old"+f.Name, typ, goexpr.And(append([]goexpr.Expr{hasOld}, oldThere...)...), old)
		}
	}
	inner := b.place(of, value, "&at")
	if old != nil {
		inner = b.paired(inner, hasOld, old)
	}
	return inner
}

// local declares a variable for a value that exists under a condition.
func (b *body) local(base, typ string, condition, value goexpr.Expr) goexpr.Expr {
	name := b.name(base)
	b.p("var ", name, " ", typ)
	b.p("if ", condition, " {")
	b.p(name, " = ", value)
	b.p("}")
	return goexpr.Raw(name)
}

// throughPointer reports whether a path has an inlined pointer.
func (b *body) throughPointer(f rule.FieldPath) bool {
	through, _ := f.Fields(b.g.m)
	return slices.ContainsFunc(through, func(in *model.Field) bool { return in.Type.Kind == model.KindPointer })
}

// mode returns the expression of a struct's discriminator, which is valid under a condition. If an
// inlined pointer is nil, the discriminator is unset.
func (b *body) mode(name string, object, condition goexpr.Expr, f rule.FieldPath) goexpr.Expr {
	value, there := b.g.selected(object, f)
	if len(there) == 0 {
		return value
	}
	return b.local(name, b.g.file.Type(f.Type), goexpr.And(append([]goexpr.Expr{condition}, there...)...), value)
}

// changed returns the condition that a place is new or changed.
func (b *body) changed(p place) goexpr.Expr {
	if p.never() {
		return goexpr.True
	}
	return goexpr.Or(goexpr.Not(p.hasOld), b.g.equals.not(p.rule.Type, p.value, p.old))
}

// item writes the rules of the first list item with certain keys.
func (b *body) item(p place, must *rule.Item, rules *order.Body) {
	b.depth++
	defer func() { b.depth-- }()
	i, item, old := b.name("i"), goexpr.Raw(b.name("item")), goexpr.Raw(b.name("old"))
	elem, pointers := rules.Place, must.Place.IsPointer(b.g.m)
	at := func(list goexpr.Expr, i string) goexpr.Expr {
		x := goexpr.Index(list, goexpr.Raw(i))
		if !pointers {
			x = goexpr.Addr(x)
		}
		return x
	}
	list := b.pointed(p)
	b.p("if ", i, " := ", b.index(p, must.Keys, list), "; ", i, " >= 0 {")
	b.p(item, " := ", at(list, i))
	inner := b.place(elem, goexpr.Star(item), "&at")
	inner.addr = item
	if hasOld := b.hasOldValue(p); !p.never() {
		b.p("var ", old, " *", b.g.file.Type(elem.Type))
		b.p("if ", hasOld, " {")
		b.p("if j := ", b.index(p, must.Keys, b.oldPointed(p)), "; j >= 0 {")
		b.p(old, " = ", at(b.oldPointed(p), "j"))
		b.p("}")
		b.p("}")
		inner.hasOld, inner.old, inner.oldAddr = goexpr.Ne(old, goexpr.Nil), goexpr.Star(old), old
		b.p("if ", b.changed(inner), " {")
	}
	b.p("at := ", b.parent(p), ".Index(", i, ")")
	b.rules(inner, rules)
	if !inner.never() {
		b.p("}")
	}
	b.p("}")
}

// index returns the index of the item with certain keys in a list.
func (b *body) index(p place, keys []rule.KeyValue, list goexpr.Expr) goexpr.Expr {
	index := "Index"
	if b.g.rules.Elem(p.rule).IsPointer(b.g.m) {
		index = "IndexPtr"
	}
	return goexpr.Call(b.g.runtime(index), list, goexpr.Raw(b.g.items.match(p.rule, keys)))
}

// modes writes the rules of a field in each mode of the struct at a place.
func (b *body) modes(p place, m *rule.Modes, rules *order.Check) {
	if b.throughPointer(m.Field) || b.throughPointer(m.Discriminator) {
		b.depth++ // a scope for its names
		defer func() { b.depth-- }()
	}
	if b.written {
		b.p()
	}
	b.p("// ", m.Field.JSON, ", by ", m.Discriminator.JSON)
	inner := b.fieldOf(p, m.Field, m.Place)
	mode := b.mode("mode", b.object(p), goexpr.True, m.Discriminator)
	if !inner.never() {
		oldMode := b.mode("oldMode", b.oldObject(p), inner.hasOld, m.Discriminator)
		b.p("if ", goexpr.Or(goexpr.Not(inner.hasOld), goexpr.Ne(mode, oldMode), b.g.equals.not(m.Field.Type, inner.value, inner.old)), " {")
	} else {
		b.p("{")
	}
	b.p("at := ", b.parent(p), ".Child(", quote(m.Field.JSON), ")")
	b.p("mark := r.Mark()")
	b.p("switch ", mode, " {")
	for i, c := range m.Cases {
		b.p("case ", constant(c.Value), ":")
		if mode := rules.Modes[i]; mode != nil {
			b.rules(inner, mode)
		}
	}
	b.p("default:")
	if rules.Otherwise != nil {
		b.rules(inner, rules.Otherwise)
	}
	b.p("}")
	b.p("r.UnmarkShortCircuit(mark) // the field's own rules follow")
	b.p("}")
}
