// Package goliteral prints values as Go.
//
// A [Printer] prints values that fit their types as expressions, and the condition that a variable has no value. [Quote] prints a
// string.
package goliteral

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
)

// Const is a package-level constant.
type Const struct {
	Package, Name string
	// Type is the constant's declared type; the zero Name if it has none.
	Type model.Name
}

// Printer writes values as Go expressions.
type Printer struct {
	Model *model.Model
	File  *gofile.File
	// Width is the length from which a composite literal is written on several lines;
	// 0 writes one line.
	Width int
	// Const returns the constant to write in place of a scalar, if any.
	Const func(r *model.Ref, v *value.Value) (Const, bool)
	// Var declares a variable and returns its name: Go cannot take the address of
	// other scalars. Name is the Go name of the value's field, followed by Item or
	// Value for what is in it.
	Var func(name, expr string) string
}

// Expr writes v, which fits r, as an operand of type r.
func (g *Printer) Expr(r *model.Ref, v *value.Value, name string) string {
	if k, ok := knownTypes[r.ID()]; ok {
		return k.print(g.File, v)
	}
	u := value.Underlying(g.Model, r)
	switch {
	case u.Kind == model.KindPointer && v.Kind != value.Null:
		if g.needsVar(u.Elem) {
			return "&" + g.Var(name, g.Typed(u.Elem, v, name))
		}
		return "&" + g.Expr(u.Elem, v, name)
	case u.IsScalar():
		expr, _ := g.scalar(r, u, v)
		return expr
	case v.Kind == value.Null:
		return "nil"
	case u.IsBytes():
		data, _ := base64.StdEncoding.DecodeString(v.Text)
		return g.File.Type(r) + "(" + Quote(string(data)) + ")"
	}
	return g.File.Type(r) + g.braces(r, u, v, name)
}

// Typed writes v such that a variable declared with the expression has the type r.
func (g *Printer) Typed(r *model.Ref, v *value.Value, name string) string {
	u := value.Underlying(g.Model, r)
	switch {
	case value.IsKnown(r):
	case u.IsScalar():
		expr, typed := g.scalar(r, u, v)
		if typed || r.IsString() || r.IsBool() || r.Kind == model.KindBuiltin && r.Name == "int" {
			return expr
		}
		return g.File.Type(r) + "(" + expr + ")"
	case v.Kind == value.Null:
		return "(" + g.File.Type(r) + ")(nil)"
	case u.Kind == model.KindPointer && r.Kind == model.KindNamed:
		return g.File.Type(r) + "(" + g.Expr(r, v, name) + ")" // &x has the type *T, and not a declared one
	}
	return g.Expr(r, v, name)
}

// Unset writes the condition that an addressable expression of type r, which is not
// a struct, array or function, is its zero value.
func (g *Printer) Unset(r *model.Ref, expr string) string {
	if k, ok := knownTypes[r.ID()]; ok {
		return k.unset(g.File, expr)
	}
	switch u := value.Underlying(g.Model, r); {
	case u.IsString():
		return expr + ` == ""`
	case u.IsBool():
		return "!" + expr
	case u.IsScalar():
		return expr + " == 0"
	}
	return expr + " == nil"
}

// scalar writes a constant expression, and reports whether it has the type r.
func (g *Printer) scalar(r, u *model.Ref, v *value.Value) (expr string, typed bool) {
	if g.Const != nil {
		if c, ok := g.Const(r, v); ok {
			ident := g.File.Ident(c.Package, c.Name)
			if c.Type.Name != "" && c.Type == r.ID() {
				return ident, true
			}
			return g.File.Type(r) + "(" + ident + ")", true
		}
	}
	switch {
	case v.Kind == value.String:
		return Quote(v.Text), false
	case u.IsFloat():
		return goFloat(v.Text, value.FloatBits(u)), false
	}
	return v.Text, false
}

// goFloat writes a JSON number as Go, which has no constants with exponents of
// any size.
func goFloat(text string, bits int) string {
	if i := strings.IndexAny(text, "eE"); i < 0 || len(text)-i <= len("e-999") {
		return text
	}
	f, _ := strconv.ParseFloat(text, bits)
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// needsVar reports whether Go has no &T{} for the type.
func (g *Printer) needsVar(r *model.Ref) bool {
	return value.IsKnown(r) || !isComposite(value.Underlying(g.Model, r))
}

// isComposite reports whether values of the type are written in braces.
func isComposite(u *model.Ref) bool {
	switch u.Kind {
	case model.KindStruct, model.KindMap, model.KindArray:
		return true
	case model.KindSlice:
		return !u.IsBytes()
	}
	return false
}

// braces writes the part of a composite literal after its type.
func (g *Printer) braces(r, u *model.Ref, v *value.Value, name string) string {
	var parts []string
	switch u.Kind {
	case model.KindSlice, model.KindArray:
		for _, item := range v.Items {
			parts = append(parts, g.element(u.Elem, item, name+"Item"))
		}
	case model.KindMap:
		integers := value.Underlying(g.Model, u.Key).IsInteger()
		for _, member := range v.Members {
			key := Quote(member.Key)
			if integers {
				key = value.Integer(member.Key)
			}
			parts = append(parts, key+": "+g.element(u.Elem, member.Value, name+"Value"))
		}
	case model.KindStruct:
		parts = g.fields(r, v)
	}
	line := "{" + strings.Join(parts, ", ") + "}"
	if g.Width == 0 || len(line) <= g.Width && !strings.Contains(line, "\n") || len(parts) == 0 {
		return line
	}
	return "{\n" + strings.Join(parts, ",\n") + ",\n}"
}

// element writes an item of a composite literal, which needs no type if it is a
// composite literal itself.
func (g *Printer) element(r *model.Ref, v *value.Value, name string) string {
	inner := r
	if r.Kind == model.KindPointer {
		inner = r.Elem
	}
	if u := value.Underlying(g.Model, inner); isComposite(u) && !value.IsKnown(inner) && v.Kind != value.Null {
		return g.braces(inner, u, v, name)
	}
	return g.Expr(r, v, name)
}

// fields writes the fields of a struct that are in v.
func (g *Printer) fields(r *model.Ref, v *value.Value) []string {
	t, at := value.Struct(g.Model, r)
	if t == nil {
		return nil
	}
	params := g.Model.Params(at)
	var parts []string
	for _, f := range t.Fields {
		typ := f.Type.Substitute(params)
		switch member := v.Member(f.JSON); {
		case f.Skipped:
		case f.Inline:
			if inner := value.Promoted(g.Model, t, typ, v); inner != nil {
				parts = append(parts, f.Name+": "+g.Expr(typ, inner, f.Name))
			}
		case member != nil && member.Kind != value.Null:
			parts = append(parts, f.Name+": "+g.Expr(typ, member, f.Name))
		}
	}
	return parts
}

// Quote writes a string as Go source.
func Quote(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
