package validation

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/expr/golang"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// place is a value to validate, with the Go expressions for it.
type place struct {
	rule *rule.Place
	// value is the value as declared, addr a pointer to it; for a pointer, addr is the pointer
	// itself and may be nil.
	value, addr goexpr.Expr
	// hasOld is the condition that there is an old value, False for never. old and oldAddr are
	// valid if it is true.
	hasOld, old, oldAddr goexpr.Expr
	// oldVar is the name for a pointer to the old value, if "old" is taken.
	oldVar string
	// at is the *validate.Path expression.
	at string
	// before is the variable of oldNilable in the current block.
	before *string
	// noNils is set if the lists of pointers at the place, including nested lists up to the next
	// struct, have no nil items.
	noNils bool
}

// theRun is the variable for the validator's run.
const theRun = goexpr.Raw("r")

// place returns the place of a value without an old value.
func (b *body) place(p *rule.Place, value goexpr.Expr, at string) place {
	return place{rule: p, value: value, addr: b.address(p, value), hasOld: goexpr.False, at: at}
}

// paired returns a place with an old value, which exists under a condition.
func (b *body) paired(p place, hasOld, old goexpr.Expr) place {
	p.hasOld, p.old, p.oldAddr = hasOld, old, b.address(p.rule, old)
	return p
}

// address returns a pointer to a value: the value itself if it is a pointer.
func (b *body) address(p *rule.Place, value goexpr.Expr) goexpr.Expr {
	if p.IsPointer(b.g.m) {
		return value
	}
	return goexpr.Addr(value)
}

// never reports whether the place never has an old value.
func (p place) never() bool { return p.hasOld == goexpr.Expr(goexpr.False) }

// pointed returns the value without pointers. It is valid if the pointer is not nil.
func (b *body) pointed(p place) goexpr.Expr { return b.strip(p, p.value) }

// oldPointed is like pointed, for the old value.
func (b *body) oldPointed(p place) goexpr.Expr { return b.strip(p, p.old) }

func (b *body) strip(p place, x goexpr.Expr) goexpr.Expr {
	if p.rule.IsPointer(b.g.m) {
		return goexpr.Star(x)
	}
	return x
}

// isSet returns the condition that the value is set.
func (b *body) isSet(p place) goexpr.Expr { return b.g.set(p.rule.Type, p.rule.Unset, p.value) }

// wasSet returns the condition that the old value was set, if there is one.
func (b *body) wasSet(p place) goexpr.Expr { return b.g.set(p.rule.Type, p.rule.Unset, p.old) }

// set returns the condition that a value is none of those that rules take as unset. It is True for values that are
// always set.
func (g *generator) set(t *model.Ref, unset model.Lack, x goexpr.Expr) goexpr.Expr {
	u := g.m.Underlying(t)
	switch unset {
	case model.LackNil:
		return goexpr.Ne(x, goexpr.Nil)
	case model.LackEmpty:
		return goexpr.Ne(goexpr.Call("len", x), goexpr.Raw("0"))
	case model.LackZero:
	default:
		return goexpr.True
	}
	switch {
	case u.IsString():
		return goexpr.Ne(x, goexpr.Raw(`""`))
	case u.IsBool():
		return x
	case u.IsScalar():
		return goexpr.Ne(x, goexpr.Raw("0"))
	case t.ID() == model.Duration:
		return goexpr.Ne(goexpr.Sel(x, "Duration"), goexpr.Raw("0"))
	case u.Kind == model.KindStruct && !golang.HasIsZero(g.m, t) && g.equals.comparable(t):
		return goexpr.Ne(x, goexpr.Raw("("+g.file.Type(t)+"{})"))
	case golang.HasIsZero(g.m, t):
		return goexpr.Not(goexpr.Method(x, "IsZero"))
	}
	return goexpr.Not(goexpr.Call(g.file.Ident(golang.Runtime, "IsZero"), goexpr.Addr(x)))
}

// zeroIsAbsent reports whether the value is a struct that JSON lacks if it is zero.
func (b *body) zeroIsAbsent(p place) bool {
	return p.rule.Unset == model.LackZero && p.rule.Underlying(b.g.m).Kind == model.KindStruct && p.rule.Scope == rule.OnField
}

// hasOldValue returns the condition that there is an old value that is not a nil pointer.
func (b *body) hasOldValue(p place) goexpr.Expr {
	if b.zeroIsAbsent(p) && !p.never() {
		return goexpr.And(p.hasOld, b.wasSet(p))
	}
	if p.never() || !p.rule.IsPointer(b.g.m) {
		return p.hasOld
	}
	there := goexpr.Ne(p.oldAddr, goexpr.Nil)
	if goexpr.Same(there, p.hasOld) {
		return p.hasOld
	}
	return goexpr.And(p.hasOld, there)
}

// nilable returns the value as declared if it can be nil, else a pointer to it.
func (b *body) nilable(p place) goexpr.Expr {
	if p.rule.CanBeNil(b.g.m) {
		return p.value
	}
	return p.addr
}

// oldNilable is like nilable, for the old value. It declares a variable if the place has none.
func (b *body) oldNilable(p place) goexpr.Expr {
	typ, value := b.g.file.Type(p.rule.Type), p.old
	if !p.rule.CanBeNil(b.g.m) {
		typ, value = "*"+typ, p.oldAddr
	}
	switch {
	case p.never():
		return goexpr.Nil
	case goexpr.Same(p.hasOld, goexpr.Ne(value, goexpr.Nil)):
		return value
	}
	if *p.before == "" {
		*p.before = b.name("before")
		b.p("var ", *p.before, " ", typ)
		b.p("if ", p.hasOld, " {")
		b.p(*p.before, " = ", value)
		b.p("}")
	}
	return goexpr.Raw(*p.before)
}

// selected returns the selector of a field below x. It names all inlined structs, because promoted
// fields can be ambiguous or shadowed. The field exists if the conditions are true, one for each
// inlined pointer.
func (g *generator) selected(x goexpr.Expr, f rule.FieldPath) (field goexpr.Expr, there []goexpr.Expr) {
	through, last := f.Fields(g.m)
	for _, in := range through {
		x = goexpr.Sel(x, in.Name)
		if in.Type.Kind == model.KindPointer {
			there = append(there, goexpr.Ne(x, goexpr.Nil))
		}
	}
	return goexpr.Sel(x, last.Name), there
}

// setBelow returns the condition that a field below x is set; it is false if an inlined pointer is
// nil.
func (g *generator) setBelow(x goexpr.Expr, f rule.FieldPath) goexpr.Expr {
	field, there := g.selected(x, f)
	return goexpr.And(append(there, g.set(f.Type, f.Unset, field))...)
}

// object returns the operand of selectors of fields of the struct at a place.
func (b *body) object(p place) goexpr.Expr { return goexpr.Star(p.addr) }

// oldObject is like object, for the old struct.
func (b *body) oldObject(p place) goexpr.Expr { return goexpr.Star(p.oldAddr) }

// constant returns the Go literal of a constant.
func constant(c rule.Constant) goexpr.Raw {
	if c.Kind == model.StringValue {
		return goexpr.Raw(strconv.Quote(c.Text))
	}
	return goexpr.Raw(c.Text)
}

func quote(s string) string { return strconv.Quote(s) }
