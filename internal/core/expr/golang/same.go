package golang

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Comparison prints comparisons of Go values that are true if and only if API servers find their JSON equal. Most values
// compare in JSON as in Go. The others get a function of their own each: an empty list is not an absent one, and the order of
// lists of type set or map does not matter.
type Comparison struct {
	Model *model.Model
	Types *modeltype.Builder
	File  Importer
	// Semantic compares values by meaning: nil and empty lists and maps are equal, and times of one instant.
	Semantic func(t *model.Ref, x, y goexpr.Expr) goexpr.Expr
	// Keys returns the functions that hash and compare items of a list by some of their members.
	Keys func(elem *model.Ref, keys []*model.Member) (hash, same goexpr.Expr)
	// Word returns a type as a part of a function's name.
	Word func(t *model.Ref) string

	printed, alike map[model.Name]bool
	queue          []*model.Ref
}

// Function is a function of two parameters, a and b.
type Function struct {
	Signature string
	Result    goexpr.Expr
}

// The values of the parameters of comparing functions.
var pointedA, pointedB = goexpr.Star(goexpr.Raw("a")), goexpr.Star(goexpr.Raw("b"))

// Equal returns a condition: two addressable values of a type are equal in JSON, which rules see as a type. If Go
// cannot tell, it returns the reason instead.
func (c *Comparison) Equal(t *model.Ref, sees *expr.Type, x, y goexpr.Expr) (code goexpr.Expr, reason string) {
	if reason := Unequal(c.Model, c.Types, t, sees); reason != "" {
		return nil, reason
	}
	return c.expr(t, sees, x, y), ""
}

// Functions returns the functions that the conditions so far need, each once.
func (c *Comparison) Functions() []Function {
	var all []Function
	for len(c.queue) > 0 {
		t := c.queue[0]
		c.queue = c.queue[1:]
		all = append(all, Function{"func " + c.name(t) + "(a, b *" + c.File.Type(t) + ") bool", goexpr.AndLines(c.members(t)...)})
	}
	return all
}

func (c *Comparison) name(t *model.Ref) string { return "jsonEqual" + c.Word(t) }

func (c *Comparison) expr(t *model.Ref, sees *expr.Type, x, y goexpr.Expr) goexpr.Expr {
	if c.alikeIn(t, sees) {
		return c.Semantic(t, x, y)
	}
	u := c.Model.Underlying(t)
	equality := func(name string, sees *expr.Type) goexpr.Expr {
		return goexpr.Call(c.File.Ident(equalityRuntime, name), x, y, c.function(u.Elem, sees))
	}
	switch {
	case sees.ListType == "set":
		return goexpr.Call(c.File.Ident(Runtime, "EqualSets"), x, y)
	case sees.ListType == "map":
		hash, same := c.Keys(u.Elem, keysOf(c.Model, u.Elem, sees))
		return goexpr.Call(c.File.Ident(Runtime, "EqualMaps"), x, y, hash, same, c.function(u.Elem, sees.Elem))
	case u.Kind == model.KindPointer:
		return equality("Ptr", sees)
	case u.Kind == model.KindMap:
		return equality("Map", sees.Elem)
	case u.Kind == model.KindSlice:
		return equality("Slice", sees.Elem)
	}
	return goexpr.Call(c.ask(t), goexpr.Addr(x), goexpr.Addr(y))
}

// equalityRuntime is the package with the comparisons of pointers, lists and maps.
const equalityRuntime = "github.com/kindsmith/kindsmith/runtime/gen/equality"

// function returns a function of type func(a, b *T) bool.
func (c *Comparison) function(t *model.Ref, sees *expr.Type) goexpr.Expr {
	if !c.alikeIn(t, sees) && c.Model.Underlying(t).Kind == model.KindStruct {
		return goexpr.Raw(c.ask(t))
	}
	return goexpr.Literal{Signature: "func(a, b *" + c.File.Type(t) + ") bool", Result: c.expr(t, sees, pointedA, pointedB)}
}

// ask returns the name of the function that compares structs of a type, and queues the function.
func (c *Comparison) ask(t *model.Ref) string {
	if c.printed == nil {
		c.printed = map[model.Name]bool{}
	}
	if !c.printed[t.ID()] {
		c.printed[t.ID()] = true
		c.queue = append(c.queue, t)
	}
	return c.name(t)
}

// members returns conditions that are all true if two structs are equal.
func (c *Comparison) members(t *model.Ref) []goexpr.Expr {
	st := c.Model.Struct(t)
	p := newPrinter(Context{Model: c.Model, File: c.File, Types: c.Types}, map[string]bool{})
	all := []goexpr.Expr{goexpr.True}
	for _, m := range c.Model.Object(st).Members {
		sees := c.Types.Objects[st.ID().String()][m.Name]
		x, guardX, set := p.memberOf(pointedA, m)
		setX := goexpr.And(guardX, set)
		y, guardY, set := p.memberOf(pointedB, m)
		setY := goexpr.And(guardY, set)
		equal := c.expr(m.Type, sees, x, y)
		switch {
		case c.whole(m):
			all = append(all, equal)
		case m.Absent == model.LackNil && !m.Behind:
			all = append(all, goexpr.Eq(goexpr.Not(setX), goexpr.Not(setY)), equal)
		default:
			all = append(all, goexpr.Or(goexpr.And(setX, setY, equal), goexpr.And(goexpr.Not(setX), goexpr.Not(setY))))
		}
	}
	return all
}

// whole reports whether the values of a member are equal, as the member's type compares them, if and only if JSON has both or
// none of them.
func (c *Comparison) whole(m *model.Member) bool {
	u := c.Model.Underlying(m.Type)
	switch {
	case m.Behind:
		return false
	case m.Absent == model.LackNil:
		return u.Kind == model.KindPointer
	case m.Absent == model.LackZero:
		return isTime(m.Type) || c.hasOneZero(m.Type, map[model.Name]bool{})
	}
	return true
}

// hasOneZero reports whether only the zero value of a type is equal to its zero value by meaning: an empty list is equal to
// nil, and types can say themselves what is zero.
func (c *Comparison) hasOneZero(t *model.Ref, seen map[model.Name]bool) bool {
	u := c.Model.Underlying(t)
	switch {
	case u.IsScalar(), u.Kind == model.KindPointer, seen[t.ID()]:
		return true
	case u.Kind != model.KindStruct || HasIsZero(c.Model, t) || modeltype.Known(t.ID()) != nil && t.ID() != model.IntOrString:
		return false
	}
	st := c.Model.Struct(t)
	seen[t.ID()] = true
	return st != nil && !slices.ContainsFunc(st.Fields, func(f *model.Field) bool { return !c.hasOneZero(f.Type, seen) })
}

func isTime(t *model.Ref) bool { return t.ID() == model.Time || t.ID() == model.MicroTime }

// alikeIn reports whether values of a type that Unequal has no reason against are equal in JSON if and only if they are
// equal by meaning.
func (c *Comparison) alikeIn(t *model.Ref, sees *expr.Type) bool {
	u := c.Model.Underlying(t)
	switch {
	case sees.ListType != "":
		return false
	case modeltype.Known(t.ID()) != nil || u.IsBytes():
		return true
	}
	switch u.Kind {
	case model.KindPointer:
		return c.alikeIn(u.Elem, sees)
	case model.KindSlice, model.KindArray, model.KindMap:
		return c.alikeIn(u.Elem, sees.Elem)
	case model.KindStruct:
		st := c.Model.Struct(t)
		if known, ok := c.alike[st.ID()]; ok {
			return known // also of a struct that contains itself
		}
		if c.alike == nil {
			c.alike = map[model.Name]bool{}
		}
		c.alike[st.ID()] = true
		c.alike[st.ID()] = c.allAlike(st)
		return c.alike[st.ID()]
	}
	return true
}

func (c *Comparison) allAlike(st *model.Type) bool {
	o := c.Model.Object(st)
	return len(o.Hidden) == 0 && !slices.ContainsFunc(st.Fields, func(f *model.Field) bool { return f.Skipped }) &&
		!slices.ContainsFunc(o.Members, func(m *model.Member) bool {
			return !c.whole(m) || !c.alikeIn(m.Type, c.Types.Objects[st.ID().String()][m.Name])
		})
}

// keysOf returns the members that identify the items of a list; nil if one is not such a member.
func keysOf(m *model.Model, elem *model.Ref, sees *expr.Type) []*model.Member {
	st := m.Struct(elem)
	if st == nil || m.Underlying(elem).Kind != model.KindStruct {
		return nil
	}
	var keys []*model.Member
	for _, name := range sees.ListKeys {
		member := m.Object(st).Member(name)
		// API servers look keys up by the names that CEL has for them.
		if member == nil || member.CEL != name || member.Behind {
			return nil
		}
		if value, _ := m.Deref(member.Type); !m.Underlying(value).IsScalar() {
			return nil
		}
		keys = append(keys, member)
	}
	return keys
}
