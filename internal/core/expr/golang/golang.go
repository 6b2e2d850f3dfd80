// Package golang prints expressions as Go conditions on values of Go types.
//
// [Print] takes an expression and a [Context], which says how its variables are spelt in Go. What cannot be printed is a
// [Reason].
//
// A printed condition is true if and only if the expression evaluates to true on the object's JSON:
// it is false if the evaluation fails. Since a Go condition has only two values, expressions that
// may fail are printed as two conditions, one for true and one for false, and values as
// alternatives with conditions. Redundant guards are removed at the end.
//
// An evaluation which fails rejects the object, also under `!`, and Go has no third value, hence the two
// conditions. `&&`, `||` and `!` combine them, which gives CEL's rule: an error in one operand is ignored if
// the other operand already decides. goexpr.Simplify drops guards an earlier operand has passed. Anything
// unprintable is reported with its name and place.
//
// To add a function, add a row to functions in calls.go, the function to runtime/gen/cel, and a rule to
// rules_test.go, which compares the compiled conditions with CEL on random objects.
//
// Go sees a decoded object, not its JSON: a field with omitempty and its zero value counts as unset, and
// decoding drops the text of quantities and durations. Conditions on such texts are not printed.
package golang

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/modeltype"
	"github.com/kindsmith/kindsmith/internal/core/expr/typed"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Runtime is the package that printed conditions call.
const Runtime = "github.com/kindsmith/kindsmith/runtime/gen/cel"

// Operand is a variable of an expression in Go.
type Operand struct {
	// Code is the value in Go: a variable, a field, or a dereferenced pointer. The pointer is nil
	// only for an optional old value that does not exist.
	Code goexpr.Expr
	Type *model.Ref
}

// Context is the context of a printed condition.
type Context struct {
	Model *model.Model
	Self  Operand
	// OldSelf is the old value; its Code is nil if there is none.
	OldSelf Operand
	// OldOptional is set if oldSelf is an optional value: a pointer, nil for none.
	OldOptional bool
	// Types are the CEL types of Go types, and SelfType that of self; by default it is that of the
	// Go type.
	Types    *modeltype.Builder
	SelfType *expr.Type
	File     Importer
	// Declare returns the name of a package variable with an initial value, such
	// as a compiled regular expression. The hint describes the value. Declare may be
	// called again with the same value.
	Declare func(hint, value string) string
	// Equal returns a Go condition: two values of a type are equal as API servers
	// compare their JSON, which rules see as a type: that of a [Comparison]. Without it, or
	// when it returns a reason instead, such comparisons are not printed.
	Equal func(t *model.Ref, sees *expr.Type, x, y goexpr.Expr) (code goexpr.Expr, reason string)
}

// Importer imports the packages that a condition refers to.
type Importer interface {
	// Ident returns how Go refers to a declaration of a package, Type how to a type.
	Ident(pkg, name string) string
	Type(t *model.Ref) string
}

// Reason is the reason why a part of an expression is not printed.
type Reason struct {
	// Span is the part's position in the source of the expression.
	Span expr.Span
	// What names the unsupported function or operation.
	What string
}

// Print prints a condition that is true if the expression is true. It omits operands of && that
// cannot be printed and returns the reasons: the condition is then true for more objects than the
// expression. It is goexpr.True if nothing is left.
func Print(e expr.Expr, c Context) (code goexpr.Expr, notTranslatable []Reason) {
	operands := []expr.Expr{e}
	if call, ok := e.(*expr.Call); ok && call.Func == expr.OpAnd {
		operands = call.Args
	}
	banned := map[string]bool{}
	for {
		p := newPrinter(c, banned)
		var all []goexpr.Expr
		notTranslatable = nil
		for _, x := range operands {
			p.budget = tooMany
			t, reason := p.try(x)
			if reason != nil {
				notTranslatable = append(notTranslatable, *reason)
				continue
			}
			all = append(all, t.yes)
		}
		if !p.clashes() {
			return goexpr.Simplify(goexpr.And(all...)), notTranslatable
		}
	}
}

// Case is one of the values that an expression has in Go.
type Case struct {
	// When is the Go condition under which the expression has the value. The
	// conditions of cases exclude each other.
	When  goexpr.Expr
	Value goexpr.Expr
}

// Text prints an expression whose value is a string, such as the message of a
// rule. If no case applies, the evaluation fails. A reason explains why there are
// no cases.
func Text(e expr.Expr, c Context) ([]Case, *Reason) {
	banned := map[string]bool{}
	for {
		p := newPrinter(c, banned)
		var cases []Case
		reason := p.attempt(func() {
			for _, a := range p.value(e) {
				switch {
				case a.text != "":
					p.refuse(e, "the text of a %s", a.text)
				case a.kind == expr.UnknownKind:
					p.refuse(e, "unknown data")
				case a.kind != expr.StringKind:
					continue // fails
				}
				if when := goexpr.Simplify(a.when); when != goexpr.Expr(goexpr.False) {
					cases = append(cases, Case{When: when, Value: p.plain(a)})
				}
			}
		})
		if reason != nil {
			return nil, reason
		}
		if !p.clashes() {
			return cases, nil
		}
	}
}

// Written returns the Go condition under which JSON has a field.
func Written(f *model.Member, code goexpr.Expr, c Context) goexpr.Expr {
	p := newPrinter(c, map[string]bool{})
	return goexpr.Simplify(p.set(f, code))
}

// newPrinter returns a printer that does not give the banned names to variables.
func newPrinter(c Context, banned map[string]bool) *printer {
	return &printer{Context: c, functions: functions(), names: map[string]bool{}, banned: banned, bound: map[string]bool{}, used: map[string]bool{}, budget: tooMany}
}

// clashes bans the names of variables that hide what the condition refers to by
// the same name, and reports whether there are any.
func (p *printer) clashes() bool {
	clash := false
	for name := range p.bound {
		if p.used[name] && !p.banned[name] {
			p.banned[name], clash = true, true
		}
	}
	return clash
}

// The limits of a condition: alternatives of alternatives multiply.
const (
	tooLong = 20_000 // bytes
	tooMany = 50_000 // visited expressions
	tooWide = 1_000  // pairs of alternatives
)

type printer struct {
	Context
	functions table
	scope     []binding
	// names are the Go variables in scope, bound all that were ever bound.
	names, bound map[string]bool
	// used are the names of what the condition refers to outside of itself; those
	// that are banned are not given to variables.
	used, banned map[string]bool
	budget       int
}

// ident returns how the condition refers to a declaration of a package.
func (p *printer) ident(pkg, name string) string { return p.use(p.File.Ident(pkg, name)) }

// typeText returns the Go spelling of a type.
func (p *printer) typeText(t *model.Ref) string { return p.use(p.File.Type(t)) }

// declare returns a package variable.
func (p *printer) declare(hint string, value goexpr.Expr) goexpr.Expr {
	return goexpr.Raw(p.use(p.Declare(hint, goexpr.Preview(value))))
}

// use records the words of Go source that callers provide.
func (p *printer) use(code string) string {
	for _, w := range strings.FieldsFunc(code, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		p.used[w] = true
	}
	return code
}

// binding is a variable of a comprehension.
type binding struct {
	name  string
	value value
}

// refusal ends the printing of an expression.
type refusal struct{ Reason }

func (p *printer) try(e expr.Expr) (t tri, reason *Reason) {
	reason = p.attempt(func() {
		t = p.truth(e)
		if n := len(goexpr.Preview(goexpr.Simplify(t.yes))); n > tooLong {
			p.refuse(e, "a condition of %d bytes", n)
		}
	})
	return t, reason
}

// limit refuses two operands with more pairs of alternatives than a condition can have:
// each term of a sum like (a ? 1 : 0) + (b ? 1 : 0) doubles them.
func (p *printer) limit(e expr.Expr, left, right value) {
	if n := len(left) * len(right); n > tooWide {
		p.refuse(e, "a condition with %d combinations of values", n)
	}
}

// attempt runs f, which may panic with a refusal.
func (p *printer) attempt(f func()) (reason *Reason) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			reason = &r.Reason
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

func (p *printer) refuse(e expr.Expr, format string, args ...any) {
	panic(refusal{Reason{Span: e.Pos(), What: fmt.Sprintf(format, args...)}})
}

// fold evaluates an expression without variables; it is false for any other, and
// for one whose value has no literal.
func (p *printer) fold(e expr.Expr) (value, bool) {
	if !isClosed(e) {
		return nil, false
	}
	v, isConstant, err := typed.Constant(e)
	switch {
	case !isConstant:
		return nil, false
	case err != nil:
		return value{}, true
	}
	if f, ok := v.(float64); ok && (math.IsInf(f, 0) || math.IsNaN(f)) {
		return nil, false
	}
	return value{constantOf(v)}, true
}

// isClosed reports whether an expression refers to no variable, and calls
// something.
func isClosed(e expr.Expr) bool {
	calls, closed := false, true
	expr.Walk(e, func(x expr.Expr) bool {
		switch x := x.(type) {
		case *expr.Var:
			closed = closed && typeNames[x.Name] != ""
		case *expr.Comprehension:
			closed = false // it binds variables
		case *expr.Call:
			calls = true
		}
		return closed
	})
	return calls && closed
}

// truth prints a bool.
func (p *printer) truth(e expr.Expr) tri {
	if p.budget--; p.budget < 0 {
		p.refuse(e, "an expression of this size")
	}
	if v, ok := p.fold(e); ok {
		return v.truth()
	}
	switch e := e.(type) {
	case *expr.Literal:
		if b, ok := e.Value.(bool); ok {
			return known(goexpr.Bool(b))
		}
	case *expr.Select:
		if e.Test {
			return p.has(e)
		}
	case *expr.Call:
		switch e.Func {
		case expr.OpAnd, expr.OpOr:
			return p.logic(e)
		case expr.OpNot:
			t := p.truth(e.Args[0])
			return tri{t.no, t.yes}
		case expr.OpCond:
			c, x, y := p.truth(e.Args[0]), p.truth(e.Args[1]), p.truth(e.Args[2])
			return tri{goexpr.Or(goexpr.And(c.yes, x.yes), goexpr.And(c.no, y.yes)), goexpr.Or(goexpr.And(c.yes, x.no), goexpr.And(c.no, y.no))}
		case expr.OpEq:
			return p.equality(e)
		case expr.OpNe:
			t := p.equality(e)
			return tri{t.no, t.yes}
		case expr.OpIn:
			return p.membership(e)
		}
		if _, ok := orders[e.Func]; ok {
			return p.order(e)
		}
	case *expr.Comprehension:
		switch e.Macro {
		case expr.AllMacro, expr.ExistsMacro, expr.ExistsOneMacro:
			return p.quantified(e)
		}
	}
	return p.value(e).truth()
}

// logic joins conditions: an operand that decides the result does so even if others fail.
func (p *printer) logic(e *expr.Call) tri {
	var yes, no []goexpr.Expr
	for _, x := range e.Args {
		t := p.truth(x)
		yes, no = append(yes, t.yes), append(no, t.no)
	}
	if e.Func == expr.OpAnd {
		return tri{goexpr.And(yes...), goexpr.Or(no...)}
	}
	return tri{goexpr.Or(yes...), goexpr.And(no...)}
}

// value prints any expression.
func (p *printer) value(e expr.Expr) value {
	if v, ok := p.fold(e); ok {
		return v
	}
	switch e := e.(type) {
	case *expr.Literal:
		a := constantOf(e.Value)
		if a.kind == expr.DynKind {
			p.refuse(e, "a literal of type %T", e.Value)
		}
		return value{a}
	case *expr.Var:
		return p.variable(e)
	case *expr.Select:
		if e.Test {
			return p.has(e).value()
		}
		return p.selection(e)
	case *expr.List:
		l := &list{literal: true}
		ok := []goexpr.Expr{}
		for _, x := range e.Items {
			if x.Optional {
				p.refuse(x.Value, "optional items")
			}
			v := p.value(x.Value)
			ok = append(ok, v.ok())
			l.items = append(l.items, v)
		}
		return value{{when: goexpr.And(ok...), kind: expr.ListKind, list: l}}
	case *expr.Map:
		return p.mapping(e)
	case *expr.Message:
		p.refuse(e, "%s{}", e.Name)
	case *expr.Comprehension:
		return p.comprehension(e)
	case *expr.Call:
		switch e.Func {
		case expr.OpAnd, expr.OpOr, expr.OpNot, expr.OpEq, expr.OpNe, expr.OpIn, expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe:
			return p.truth(e).value()
		case expr.OpCond:
			c, x, y := p.truth(e.Args[0]), p.value(e.Args[1]), p.value(e.Args[2])
			if v, ok := p.chosen(c, x, y); ok {
				return v
			}
			return append(x.under(c.yes), y.under(c.no)...)
		case expr.OpIndex, expr.OpOptIndex:
			return p.index(e)
		}
		return p.call(e)
	}
	p.refuse(e, "%T", e)
	return nil
}

// typeNames are the types that rules compare type(x) with.
var typeNames = map[string]expr.Kind{
	"int": expr.IntKind, "string": expr.StringKind, "bool": expr.BoolKind, "double": expr.DoubleKind, "uint": expr.UintKind,
	"bytes": expr.BytesKind, "list": expr.ListKind, "map": expr.MapKind, "null_type": expr.NullKind,
}

func (p *printer) variable(v *expr.Var) value {
	for _, b := range slices.Backward(p.scope) {
		if b.name == v.Name {
			return b.value
		}
	}
	switch v.Name {
	case expr.SelfName:
		return p.operand(p.Self)
	case expr.OldSelfName:
		if p.OldSelf.Code == nil {
			p.refuse(v, "oldSelf")
		}
		if p.OldOptional {
			set := goexpr.Ne(goexpr.Addr(p.OldSelf.Code), goexpr.Nil)
			return value{
				{when: set, kind: expr.OptionalKind, some: p.operand(p.OldSelf)},
				{when: goexpr.Not(set), kind: expr.OptionalKind},
			}
		}
		return p.operand(p.OldSelf)
	}
	if kind, ok := typeNames[v.Name]; ok {
		return value{{when: goexpr.True, kind: expr.TypeKind, is: kind}}
	}
	p.refuse(v, "%s", v.Name)
	return nil
}

func (p *printer) operand(o Operand) value {
	typ := p.SelfType
	if typ == nil {
		typ = p.Types.Of(o.Type)
	}
	p.use(goexpr.Preview(o.Code))
	return p.goValue(o.Code, o.Type, typ)
}

// bindTo runs f with a variable in scope.
func (p *printer) bindTo(name string, v value, f func()) {
	p.scope = append(p.scope, binding{name, v})
	f()
	p.scope = p.scope[:len(p.scope)-1]
}
