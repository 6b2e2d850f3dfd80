package validation

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/goexpr"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// place is a value to validate, and how Go code gets at it.
type place struct {
	rule *rule.Place
	// value is the value as declared, addr a pointer to it; behind a pointer
	// addr is the pointer itself and may be nil.
	value, addr goexpr.Expr
	// hasOld says when there is an old value, False for never. old and oldAddr are
	// valid where it holds.
	hasOld, old, oldAddr goexpr.Expr
	// oldVar is the name for a pointer to the old value, where "old" is taken.
	oldVar string
	// at is the *validate.Path expression.
	at string
	// before is the variable that was declared for oldNilable, in the block that
	// is being written.
	before *string
	// noNils is set where it is known that the lists of pointers at the place and
	// below, down to the next struct, have no nil items.
	noNils bool
}

// theRun is the variable for the validator's run.
const theRun = goexpr.Raw("r")

// place returns the place of a value that has no old one.
func (b *body) place(p *rule.Place, value goexpr.Expr, at string) place {
	return place{rule: p, value: value, addr: b.address(p, value), hasOld: goexpr.False, at: at}
}

// paired returns a place with an old value, which is there under a condition.
func (b *body) paired(p place, hasOld, old goexpr.Expr) place {
	p.hasOld, p.old, p.oldAddr = hasOld, old, b.address(p.rule, old)
	return p
}

// address is a pointer to a value: the value itself where that is one.
func (b *body) address(p *rule.Place, value goexpr.Expr) goexpr.Expr {
	if p.IsPointer(b.g.m) {
		return value
	}
	return goexpr.Addr(value)
}

// never reports whether the place never has an old value.
func (p place) never() bool { return p.hasOld == goexpr.Expr(goexpr.False) }

// pointed is what the value is with pointers stripped. It is valid where a pointer
// is not nil.
func (b *body) pointed(p place) goexpr.Expr { return b.strip(p, p.value) }

// oldPointed is the same of the old value.
func (b *body) oldPointed(p place) goexpr.Expr { return b.strip(p, p.old) }

func (b *body) strip(p place, x goexpr.Expr) goexpr.Expr {
	if p.rule.IsPointer(b.g.m) {
		return goexpr.Star(x)
	}
	return x
}

// isSet says whether the value is set.
func (b *body) isSet(p place) goexpr.Expr { return set(b.g.m, p.rule.Type, p.value) }

// wasSet says whether the old value was set, where there is one.
func (b *body) wasSet(p place) goexpr.Expr { return set(b.g.m, p.rule.Type, p.old) }

// set says whether a value of a type is set: non-nil, non-empty or non-zero. It is
// True where it always is.
func set(m *model.Model, t *model.Ref, x goexpr.Expr) goexpr.Expr {
	u := m.Underlying(t)
	switch {
	case u.Kind == model.KindPointer, u.Kind == model.KindInterface:
		return goexpr.Ne(x, goexpr.Nil)
	case u.Kind == model.KindSlice, u.Kind == model.KindMap:
		return goexpr.Ne(goexpr.Call("len", x), goexpr.Raw("0"))
	case u.IsString():
		return goexpr.Ne(x, goexpr.Raw(`""`))
	case u.IsBool():
		return x
	case u.IsScalar():
		return goexpr.Ne(x, goexpr.Raw("0"))
	case t.ID() == model.Duration:
		return goexpr.Ne(goexpr.Sel(x, "Duration"), goexpr.Raw("0"))
	case t.ID() == model.Quantity:
		return goexpr.Not(goexpr.Method(x, "IsZero"))
	}
	return goexpr.True
}

// hasOldValue is the condition for there to be an old value, pointers looked
// through.
func (b *body) hasOldValue(p place) goexpr.Expr {
	if p.never() || !p.rule.IsPointer(b.g.m) {
		return p.hasOld
	}
	there := goexpr.Ne(p.oldAddr, goexpr.Nil)
	if goexpr.Same(there, p.hasOld) {
		return p.hasOld
	}
	return goexpr.And(p.hasOld, there)
}

// nilable is the value as declared where that can be nil, else a pointer to it.
func (b *body) nilable(p place) goexpr.Expr {
	if p.rule.CanBeNil(b.g.m) {
		return p.value
	}
	return p.addr
}

// oldNilable returns the old value as something that can be nil, and declares a
// variable for it where the place has none.
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

// selected selects a field below x, by way of the structs that are inlined, which
// are all named: what Go would promote can be ambiguous, or hidden by a struct of
// the field's name. The field is there where the conditions hold, one for each
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

// setBelow says whether a field below x is set; below an inlined pointer that is
// nil it is not.
func (g *generator) setBelow(x goexpr.Expr, f rule.FieldPath) goexpr.Expr {
	field, there := g.selected(x, f)
	return goexpr.And(append(there, set(g.m, f.Type, field))...)
}

// object is what the fields of the struct at a place are selected from.
func (b *body) object(p place) goexpr.Expr { return goexpr.Star(p.addr) }

// oldObject is the same of the old struct.
func (b *body) oldObject(p place) goexpr.Expr { return goexpr.Star(p.oldAddr) }

// constant spells a constant in Go.
func constant(c rule.Constant) goexpr.Raw {
	if c.Kind == model.StringValue {
		return goexpr.Raw(strconv.Quote(c.Text))
	}
	return goexpr.Raw(c.Text)
}

func quote(s string) string { return strconv.Quote(s) }
