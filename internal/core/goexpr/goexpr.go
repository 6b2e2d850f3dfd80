// Package goexpr represents Go expressions as trees.
//
// The constructors, such as [Call] and [And], build an [Expr], and [String] prints it.
//
// The tree places parentheses, negates conditions, and knows whether a variable is
// used.
package goexpr

import "strings"

// Expr is a Go expression.
type Expr interface {
	write(w *writer, prec int)
}

// writer collects the source of an expression.
type writer struct {
	strings.Builder
	// uses is set if the source is written to a file, so that its variables are used.
	uses bool
}

// The precedences of Go, as far as they matter here.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precSum
	precProduct
	precUnary
	precPrimary
)

// String returns an expression as Go source, and marks its variables as used.
func String(x Expr) string { return source(x, true) }

// Preview is String for source that is not written to a file.
func Preview(x Expr) string { return source(x, false) }

func source(x Expr, uses bool) string {
	w := writer{uses: uses}
	x.write(&w, 0)
	return w.String()
}

// Variable is a local variable that is declared only if it is used.
type Variable struct {
	Name string
	used bool
}

// Used reports whether written source refers to the variable.
func (v *Variable) Used() bool { return v.used }

func (v *Variable) write(w *writer, _ int) {
	v.used = v.used || w.uses
	w.WriteString(v.Name)
}

// Raw is an operand: an identifier, a literal, or other source that needs no parentheses.
type Raw string

func (r Raw) write(b *writer, _ int) { b.WriteString(string(r)) }

// The boolean constants.
const (
	True  Raw = "true"
	False Raw = "false"
	Nil   Raw = "nil"
)

// Bool returns a boolean constant.
func Bool(b bool) Raw {
	if b {
		return True
	}
	return False
}

type selector struct {
	x    Expr
	name string
}

// Sel selects a field. It omits the star of a dereferenced pointer.
func Sel(x Expr, name string) Expr {
	if s, ok := x.(star); ok {
		x = s.x
	}
	return selector{x, name}
}

func (s selector) write(b *writer, _ int) {
	s.x.write(b, precPrimary)
	b.WriteString("." + s.name)
}

type star struct{ x Expr }

// Star dereferences a pointer.
func Star(x Expr) Expr {
	if a, ok := x.(addr); ok {
		return a.x
	}
	return star{x}
}

func (s star) write(b *writer, prec int) { unary(b, "*", s.x, prec) }

type addr struct{ x Expr }

// Addr is the address of an addressable expression.
func Addr(x Expr) Expr {
	if s, ok := x.(star); ok {
		return s.x
	}
	return addr{x}
}

func (a addr) write(b *writer, prec int) { unary(b, "&", a.x, prec) }

func unary(b *writer, operator string, x Expr, prec int) {
	group(b, prec > precUnary, func() {
		b.WriteString(operator)
		x.write(b, precUnary)
	})
}

func group(b *writer, parens bool, write func()) {
	if parens {
		b.WriteString("(")
	}
	write()
	if parens {
		b.WriteString(")")
	}
}

type index struct {
	x, i  Expr
	isMap bool
}

// Index is an item of a list.
func Index(x, i Expr) Expr { return index{x, i, false} }

// Entry is a value of a map.
func Entry(x, key Expr) Expr { return index{x, key, true} }

// Addressable reports whether x has an address: values of maps and results of functions, and what these have, do not.
func Addressable(x Expr) bool {
	switch x := x.(type) {
	case selector:
		return Addressable(x.x)
	case index:
		return !x.isMap && Addressable(x.x)
	case star, Raw:
		return true
	}
	return false
}

func (i index) write(b *writer, _ int) {
	i.x.write(b, precPrimary)
	b.WriteString("[")
	i.i.write(b, 0)
	b.WriteString("]")
}

type call struct {
	function Expr
	args     []Expr
	lines    bool
}

// Call calls a function.
func Call(function string, args ...Expr) Expr { return call{function: Raw(function), args: args} }

// CallLines is Call with one argument on each line.
func CallLines(function string, args ...Expr) Expr { return call{Raw(function), args, true} }

// Method calls a method of x.
func Method(x Expr, name string, args ...Expr) Expr { return call{function: Sel(x, name), args: args} }

func (c call) write(b *writer, _ int) {
	c.function.write(b, precPrimary)
	b.WriteString("(")
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

func (l Literal) write(b *writer, _ int) {
	b.WriteString(l.Signature + " { return ")
	l.Result.write(b, 0)
	b.WriteString(" }")
}

// Binary is an operation on numbers or strings: + - * / %.
func Binary(operator string, x, y Expr) Expr {
	prec := precSum
	if operator != "+" && operator != "-" {
		prec = precProduct
	}
	return binary{operator, prec, x, y}
}

type binary struct {
	operator string
	prec     int
	x, y     Expr
}

func (o binary) write(b *writer, prec int) {
	group(b, prec > o.prec, func() {
		o.x.write(b, o.prec)
		b.WriteString(" " + o.operator + " ")
		o.y.write(b, o.prec+1)
	})
}

// Minus is -x.
func Minus(x Expr) Expr { return minus{x} }

type minus struct{ x Expr }

// A minus does not follow another operator: two of them would be --.
func (m minus) write(b *writer, prec int) {
	group(b, prec > precSum, func() {
		b.WriteString("-")
		m.x.write(b, precUnary)
	})
}
