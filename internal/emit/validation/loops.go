package validation

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// loops writes loops over the values of a list or map. It evaluates the conditions of a loop once.
func (b *body) loops(p place, loops []order.Loop) {
	write := b.list
	if p.rule.Underlying(b.g.m).Kind == model.KindMap {
		write = b.mapping
	}
	for _, l := range loops {
		if l.When == nil {
			write(p, l)
			continue
		}
		b.p("if ", b.applies(p, *l.When, false), " {")
		write(p, l)
		b.p("}")
	}
}

// list writes a loop over a list. Items of a list of type map are correlated with old items by key,
// items of a set by value; items of an atomic list are not.
func (b *body) list(p place, l order.Loop) {
	b.depth++
	defer func() { b.depth-- }()
	pointers := b.g.rules.Elem(p.rule).IsPointer(b.g.m)
	i, cursor := b.name("i"), b.name("cursor")
	item := &goexpr.Variable{Name: b.name("item")}

	if pairs(p) {
		b.p("var ", cursor, " ", b.g.runtime("Cursor"))
	}
	outermost := len(b.paths) == 0
	if at := b.name("itemAt"); !slices.Contains(b.paths, at) {
		b.paths = append(b.paths, at)
	}
	loop := b.g.file.Capture(func() {
		b.p("for ", i, " := range ", b.pointed(p), " {")
		turn := b.g.file.Capture(func() { b.turn(p, l.Values, item) })
		if item.Used() { // some rules do not use the item's value
			value := goexpr.Index(b.pointed(p), goexpr.Raw(i))
			if !pointers {
				value = goexpr.Addr(value)
			}
			b.p(item.Name, " := ", value)
		}
		b.p(turn)
		b.p("}")
	})
	if outermost {
		b.p("var ", strings.Join(b.paths, ", "), " ", b.g.runtime("Path"))
		b.paths = nil
	}
	b.p(loop)
	if pairs(p) {
		b.p(cursor, ".Free()")
	}
}

// turn writes the body of a loop for one item. The enclosing field reports nil items.
func (b *body) turn(p place, values *order.Body, item *goexpr.Variable) {
	i, old, cursor, at := b.name("i"), b.name("old"), b.name("cursor"), b.name("itemAt")
	elem, pointers := values.Place, b.g.rules.Elem(p.rule).IsPointer(b.g.m)
	if pointers && !p.noNils {
		b.p("if ", goexpr.Eq(item, goexpr.Nil), " {")
		b.p("continue")
		b.p("}")
	}
	inner := b.place(elem, goexpr.Star(item), "&"+at)
	inner.addr, inner.noNils = item, p.noNils
	if pairs(p) {
		lookup := "Lookup"
		if pointers {
			lookup = "LookupPtr"
		}
		found := goexpr.Ne(goexpr.Raw(old), goexpr.Nil)
		b.p("var ", old, " *", b.g.file.Type(elem.Type))
		b.p("if ", b.hasOldValue(p), " {")
		b.p(old, " = ", goexpr.Call(b.g.runtime(lookup), b.oldPointed(p), goexpr.Raw("&"+cursor), item,
			goexpr.Raw(b.g.items.hash(p.rule)), goexpr.Raw(b.g.items.same(p.rule))))
		b.p("}")
		inner.hasOld, inner.old, inner.oldAddr = found, goexpr.Star(goexpr.Raw(old)), goexpr.Raw(old)
		unchanged := found
		if p.rule.List.Identity != rule.Set {
			unchanged = goexpr.And(found, b.g.equals.expr(elem.Type, goexpr.Star(item), inner.old))
		}
		if !b.g.rules.Strict(elem.Type) {
			b.p("if ", unchanged, " {")
			b.p("continue")
			b.p("}")
		}
	}
	b.p(at, " = ", b.parent(p), ".Index(", i, ")")
	b.rules(inner, values)
}

// pairs reports whether the items of a list are correlated with old items.
func pairs(p place) bool { return !p.never() && p.rule.List.Paired() }

// mapping writes a loop over a map. Errors of keys are at the path of the map.
func (b *body) mapping(p place, l order.Loop) {
	b.depth++
	defer func() { b.depth-- }()
	key, value, old, found := b.name("key"), b.name("value"), b.name("old"), b.name("found")
	paths := b.paths
	b.paths = nil // the loop's body is a function

	entries := goexpr.Call(b.g.runtime("Entries"), theRun, b.pointed(p))
	if l.Values != nil {
		b.p("for ", key, ", ", value, " := range ", entries, " {")
	} else {
		b.p("for ", key, " := range ", entries, " {")
	}
	if !p.never() {
		before := goexpr.Index(b.oldPointed(p), goexpr.Raw(key))
		if l.Values != nil {
			b.p("var ", old, " ", b.g.file.Type(l.Values.Place.Type))
		}
		b.p(found, " := false")
		b.p("if ", b.hasOldValue(p), " {")
		if l.Values != nil {
			b.p(old, ", ", found, " = ", before)
		} else {
			b.p("_, ", found, " = ", before)
		}
		b.p("}")
	}
	if l.Keys != nil {
		k := b.place(l.Keys.Place, goexpr.Raw(key), p.at)
		if !p.never() {
			b.p("if !", found, " {")
		}
		b.rules(k, l.Keys)
		if !p.never() {
			b.p("}")
		}
	}
	if l.Values != nil {
		b.mapValue(p, l.Values, key, value, old, found)
	}
	b.p("}")
	b.paths = paths
}

// mapValue writes the body of a loop over a map for a value.
func (b *body) mapValue(p place, values *order.Body, key, value, old, found string) {
	v := b.place(values.Place, goexpr.Raw(value), "&at")
	v.noNils = p.noNils
	if !p.never() {
		v = b.paired(v, goexpr.Raw(found), goexpr.Raw(old))
		v.oldVar = b.name("oldValue")
		if !b.g.rules.Strict(values.Place.Type) {
			b.p("if ", goexpr.And(v.hasOld, b.g.equals.expr(values.Place.Type, v.value, v.old)), " {")
			b.p("continue")
			b.p("}")
		}
	}
	if values.Below && b.g.order.Reaches(values.Place, b.owner) {
		b.entry(p, v, key, values)
		return
	}
	b.p("at := ", b.parent(p), ".Key(string(", key, "))")
	b.rules(v, values)
}

// entry writes the call of a function that validates one value of a map in a recursive type.
// Variables of a loop that are passed to the enclosing function would be allocated on the heap.
// Arguments of another function are not, unless that function is inlined.
func (b *body) entry(p, v place, key string, rules *order.Body) {
	name := b.g.unique("validateEntryOf" + typeWord(b.g, model.Named(b.owner.Package, b.owner.Name)) + p.rule.Field)
	typ := b.g.file.Type(v.rule.Type)
	args := []goexpr.Expr{theRun, goexpr.Raw(p.at), goexpr.Raw("string(" + key + ")"), v.value}
	params := "value " + typ
	inside := &body{g: b.g, owner: b.owner, depth: 1}
	inner := inside.place(v.rule, goexpr.Raw("value"), "&at")
	inner.noNils = v.noNils
	if !v.never() {
		args, params = append(args, v.old, v.hasOld), "value, old "+typ+", found bool"
		inner = inside.paired(inner, goexpr.Raw("found"), goexpr.Raw("old"))
		inner.oldVar = "oldValue"
	}
	b.p(goexpr.Call(name, args...))
	b.g.later = append(b.g.later, func() {
		f := b.g.file
		f.P("// ", name, " validates one entry of a map whose values can hold such a map again.")
		f.P("//")
		f.P("//go:noinline")
		f.Block("func "+name+"(r *"+b.g.runtime("Run")+", parent *"+b.g.runtime("Path")+", key string, "+params+") {", func() {
			f.P("at := parent.Key(key)")
			inside.rules(inner, rules)
		})
		f.P()
	})
}

// parent is the path expression of the parent of a loop's paths.
func (b *body) parent(p place) string { return strings.TrimPrefix(p.at, "&") }
