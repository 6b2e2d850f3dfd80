package validation

import (
	"strings"
	"sync"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// exprs returns the expressions with which rules of a place are written.
func (b *body) exprs(p place) *tag.Exprs {
	m := b.g.c.Model
	e := &tag.Exprs{
		Model: m, Package: b.g.c.Package.Path, File: b.g.file, Run: "r", At: p.at,
		Raw: p.value, Value: p.value, Nilable: p.value,
		Old: p.old, HasOld: p.hasOld, OldValue: p.old, HasOldValue: b.hasOldValue(p),
		Declare:    b.g.declare,
		Equal:      b.g.equals.expr,
		ItemFuncs:  func() (hash, same string) { return b.g.items.hash(p.node), b.g.items.same(p.node) },
		SameItem:   func() string { return b.g.items.same(p.node) },
		HasItem:    func(keys []tag.KeyValue, list string) string { return b.index(p, keys, list) + " >= 0" },
		OldNilable: sync.OnceValue(func() string { return b.oldNilable(p) }),
	}
	e.Obj, e.OldObj = base(p.addr), base(p.oldAddr)
	switch {
	case p.node.IsPointer() && p.node.Underlying().Kind != model.KindStruct:
		e.Value, e.OldValue = "*"+p.value, "*"+p.old
	case !p.node.CanBeNil():
		e.Nilable = p.addr
	}
	e.Set = tag.SetExpr(m, p.node.Type, p.value)
	if p.hasOld == "" {
		e.HasOld = "false"
	} else {
		e.OldSet = tag.SetExpr(m, p.node.Type, p.old)
	}
	return e
}

// base is what the fields of the struct that addr points to are selected from.
func base(addr string) string { return strings.TrimPrefix(addr, "&") }

// hasOldValue is the condition for there to be an old value, pointers looked
// through; "false" where there never is one.
func (b *body) hasOldValue(p place) string {
	switch {
	case p.hasOld == "":
		return "false"
	case p.node.IsPointer() && p.hasOld != p.oldAddr+" != nil":
		return p.hasOld + " && " + p.oldAddr + " != nil"
	}
	return p.hasOld
}

// oldNilable returns the old value as something that can be nil, and declares a
// variable for it where there is no such thing yet.
func (b *body) oldNilable(p place) string {
	asIs := p.node.CanBeNil()
	typ, value := b.g.file.Type(p.node.Type), p.old
	if !asIs {
		typ, value = "*"+typ, p.oldAddr
	}
	switch p.hasOld {
	case "":
		return "nil"
	case value + " != nil":
		return value
	}
	if *p.before != "" {
		return *p.before
	}
	before := b.name("before")
	*p.before = before
	b.p("var ", before, " ", typ)
	b.p("if ", p.hasOld, " {")
	b.p(before, " = ", value)
	b.p("}")
	return before
}
