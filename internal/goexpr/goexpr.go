// Package goexpr is Go expressions as trees.
//
// A printer of Go asks the tree what it needs to know: where parentheses go, what
// the negation of a condition is, whether a variable is used.
package goexpr

import (
	"reflect"
	"strings"
)

// Expr is a Go expression.
type Expr interface {
	write(b *strings.Builder, prec int)
}

// The precedences of Go, as far as they matter here.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precUnary
	precPrimary
)

// String returns an expression as Go source. The variables in it count as used
// from then on.
func String(x Expr) string {
	var b strings.Builder
	x.write(&b, 0)
	return b.String()
}

// Variable is a local variable that is declared only if it is used.
type Variable struct {
	Name string
	used bool
}

// Used reports whether source was written that names the variable.
func (v *Variable) Used() bool { return v.used }

func (v *Variable) write(b *strings.Builder, _ int) {
	v.used = true
	b.WriteString(v.Name)
}

// Raw is an operand: an identifier, a literal, or whatever needs no parentheses.
type Raw string

func (r Raw) write(b *strings.Builder, _ int) { b.WriteString(string(r)) }

// The boolean constants.
const (
	True  Raw = "true"
	False Raw = "false"
	Nil   Raw = "nil"
)

type selector struct {
	x    Expr
	name string
}

// Sel selects a field. The pointer that a star looks through needs no star.
func Sel(x Expr, name string) Expr {
	if s, ok := x.(star); ok {
		x = s.x
	}
	return selector{x, name}
}

func (s selector) write(b *strings.Builder, _ int) {
	s.x.write(b, precPrimary)
	b.WriteString("." + s.name)
}

type star struct{ x Expr }

// Star is what a pointer points to.
func Star(x Expr) Expr {
	if a, ok := x.(addr); ok {
		return a.x
	}
	return star{x}
}

func (s star) write(b *strings.Builder, prec int) { unary(b, "*", s.x, prec) }

// Pointer returns what a star looks through, not ok for other expressions.
func Pointer(x Expr) (p Expr, ok bool) {
	s, ok := x.(star)
	return s.x, ok
}

type addr struct{ x Expr }

// Addr is the address of an addressable expression.
func Addr(x Expr) Expr {
	if s, ok := x.(star); ok {
		return s.x
	}
	return addr{x}
}

func (a addr) write(b *strings.Builder, prec int) { unary(b, "&", a.x, prec) }

func unary(b *strings.Builder, operator string, x Expr, prec int) {
	group(b, prec > precUnary, func() {
		b.WriteString(operator)
		x.write(b, precUnary)
	})
}

func group(b *strings.Builder, parens bool, write func()) {
	if parens {
		b.WriteString("(")
	}
	write()
	if parens {
		b.WriteString(")")
	}
}

type index struct{ x, i Expr }

// Index is an element of a list or map.
func Index(x, i Expr) Expr { return index{x, i} }

func (i index) write(b *strings.Builder, _ int) {
	i.x.write(b, precPrimary)
	b.WriteString("[")
	i.i.write(b, 0)
	b.WriteString("]")
}

type call struct {
	function string
	args     []Expr
	lines    bool
}

// Call calls a function.
func Call(function string, args ...Expr) Expr { return call{function: function, args: args} }

// CallLines is Call with an argument a line.
func CallLines(function string, args ...Expr) Expr { return call{function, args, true} }

func (c call) write(b *strings.Builder, _ int) {
	b.WriteString(c.function + "(")
	for i, a := range c.args {
		switch {
		case c.lines:
			b.WriteString("\n")
		case i > 0:
			b.WriteString(", ")
		}
		a.write(b, 0)
		if c.lines {
			b.WriteString(",")
		}
	}
	if c.lines {
		b.WriteString("\n")
	}
	b.WriteString(")")
}

// Literal is a function of one expression, as source.
type Literal struct {
	// Signature is the function without its body, such as "func(a, b *T) bool".
	Signature string
	Result    Expr
}

func (l Literal) write(b *strings.Builder, _ int) {
	b.WriteString(l.Signature + " { return ")
	l.Result.write(b, 0)
	b.WriteString(" }")
}

type compare struct {
	operator string
	x, y     Expr
}

// Eq is x == y.
func Eq(x, y Expr) Expr { return compare{"==", x, y} }

// Ne is x != y.
func Ne(x, y Expr) Expr { return compare{"!=", x, y} }

// AtLeast is x >= y.
func AtLeast(x, y Expr) Expr { return compare{">=", x, y} }

func (c compare) write(b *strings.Builder, prec int) {
	group(b, prec >= precCompare, func() {
		c.x.write(b, precCompare)
		b.WriteString(" " + c.operator + " ")
		c.y.write(b, precCompare)
	})
}

type list struct {
	operator string
	prec     int
	operands []Expr
	lines    bool
}

// And is the conjunction of conditions, which is true of none.
func And(operands ...Expr) Expr { return join("&&", precAnd, True, False, false, operands) }

// Or is the disjunction of conditions, which is false of none.
func Or(operands ...Expr) Expr { return join("||", precOr, False, True, false, operands) }

// OrLines is Or with an operand a line.
func OrLines(operands ...Expr) Expr { return join("||", precOr, False, True, true, operands) }

func join(operator string, prec int, neutral, absorbing Raw, lines bool, operands []Expr) Expr {
	var kept []Expr
	for _, x := range operands {
		switch in, ok := x.(list); {
		case x == Expr(absorbing):
			return absorbing
		case x == Expr(neutral):
		case ok && in.prec == prec:
			kept = append(kept, in.operands...)
			lines = lines || in.lines
		default:
			kept = append(kept, x)
		}
	}
	switch len(kept) {
	case 0:
		return neutral
	case 1:
		return kept[0]
	}
	return list{operator, prec, kept, lines}
}

func (l list) write(b *strings.Builder, prec int) {
	group(b, prec > l.prec, func() {
		for i, x := range l.operands {
			if i > 0 {
				b.WriteString(" " + l.operator)
				b.WriteString(map[bool]string{true: "\n", false: " "}[l.lines])
			}
			x.write(b, l.prec)
		}
	})
}

type not struct{ x Expr }

// Not negates a condition. Comparisons are turned round, and a conjunction of
// conditions that can be turned round becomes a disjunction.
func Not(x Expr) Expr {
	switch x := x.(type) {
	case not:
		return x.x
	case compare:
		switch x.operator {
		case "==":
			return compare{"!=", x.x, x.y}
		case "!=":
			return compare{"==", x.x, x.y}
		}
	case list:
		if x.prec != precAnd || x.lines {
			break
		}
		turned := make([]Expr, len(x.operands))
		for i, operand := range x.operands {
			if _, ok := operand.(list); ok {
				return not{x}
			}
			turned[i] = Not(operand)
		}
		return Or(turned...)
	case Raw:
		switch x {
		case True:
			return False
		case False:
			return True
		}
	}
	return not{x}
}

func (n not) write(b *strings.Builder, prec int) { unary(b, "!", n.x, prec) }

// Same reports whether two expressions are the same source.
func Same(x, y Expr) bool { return reflect.DeepEqual(x, y) }

// EndsIn reports whether a condition is a disjunction whose last operand is x.
func EndsIn(condition, x Expr) bool {
	l, ok := condition.(list)
	return ok && l.prec == precOr && Same(l.operands[len(l.operands)-1], x)
}

// AndLines is And with an operand a line.
func AndLines(operands ...Expr) Expr { return join("&&", precAnd, True, False, true, operands) }
