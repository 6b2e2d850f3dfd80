package value

import (
	"encoding/base64"
	"math/big"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// GoConst is a package-level constant.
type GoConst struct {
	Package, Name string
	// Type is the constant's declared type; the zero Name if it has none.
	Type model.Name
}

// Go writes values as Go expressions.
type Go struct {
	Model *model.Model
	File  *gofile.File
	// Width is the length from which a composite literal is written on several lines;
	// 0 writes one line.
	Width int
	// Const returns the constant to write in place of a scalar, if any.
	Const func(r *model.Ref, v *Value) (GoConst, bool)
	// Var declares a variable and returns its name: Go cannot take the address of
	// other scalars. Name is the Go name of the value's field, followed by Item or
	// Value for what is in it.
	Var func(name, expr string) string
}

// Expr writes v, which fits r, as an operand of type r.
func (g *Go) Expr(r *model.Ref, v *Value, name string) string {
	if k, ok := knownTypes[r.ID()]; ok {
		return k.golang(g.File, v)
	}
	u := Underlying(g.Model, r)
	switch {
	case u.Kind == model.KindPointer && v.Kind != Null:
		if g.needsVar(u.Elem) {
			return "&" + g.Var(name, g.Typed(u.Elem, v, name))
		}
		return "&" + g.Expr(u.Elem, v, name)
	case u.IsScalar():
		expr, _ := g.scalar(r, u, v)
		return expr
	case v.Kind == Null:
		return "nil"
	case u.IsBytes():
		data, _ := base64.StdEncoding.DecodeString(v.Text)
		return g.File.Type(r) + "(" + GoString(string(data)) + ")"
	}
	return g.File.Type(r) + g.braces(r, u, v, name)
}

// Typed writes v such that a variable declared with the expression has the type r.
func (g *Go) Typed(r *model.Ref, v *Value, name string) string {
	u := Underlying(g.Model, r)
	switch {
	case IsKnown(r):
	case u.IsScalar():
		expr, typed := g.scalar(r, u, v)
		if typed || r.IsString() || r.IsBool() || r.Kind == model.KindBuiltin && r.Name == "int" {
			return expr
		}
		return g.File.Type(r) + "(" + expr + ")"
	case v.Kind == Null:
		return "(" + g.File.Type(r) + ")(nil)"
	case u.Kind == model.KindPointer && r.Kind == model.KindNamed:
		return g.File.Type(r) + "(" + g.Expr(r, v, name) + ")" // &x has the type *T, and not a declared one
	}
	return g.Expr(r, v, name)
}

// Unset writes the condition that an addressable expression of type r, which is not
// a struct, array or function, is its zero value.
func (g *Go) Unset(r *model.Ref, expr string) string {
	if k, ok := knownTypes[r.ID()]; ok {
		return k.unset(g.File, expr)
	}
	switch u := Underlying(g.Model, r); {
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
func (g *Go) scalar(r, u *model.Ref, v *Value) (expr string, typed bool) {
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
	case v.Kind == String:
		return GoString(v.Text), false
	case u.IsFloat():
		return goFloat(v.Text, floatBits(u)), false
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

// goInteger writes a decimal integer as Go, where leading zeros mean octal.
func goInteger(text string) string {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return text
	}
	return n.String()
}

// needsVar reports whether Go has no &T{} for the type.
func (g *Go) needsVar(r *model.Ref) bool {
	return IsKnown(r) || !isComposite(Underlying(g.Model, r))
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
func (g *Go) braces(r, u *model.Ref, v *Value, name string) string {
	var parts []string
	switch u.Kind {
	case model.KindSlice, model.KindArray:
		for _, item := range v.Items {
			parts = append(parts, g.element(u.Elem, item, name+"Item"))
		}
	case model.KindMap:
		integers := Underlying(g.Model, u.Key).IsInteger()
		for _, member := range v.Members {
			key := GoString(member.Key)
			if integers {
				key = goInteger(member.Key)
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
func (g *Go) element(r *model.Ref, v *Value, name string) string {
	inner := r
	if r.Kind == model.KindPointer {
		inner = r.Elem
	}
	if u := Underlying(g.Model, inner); isComposite(u) && !IsKnown(inner) && v.Kind != Null {
		return g.braces(inner, u, v, name)
	}
	return g.Expr(r, v, name)
}

// fields writes the fields of a struct that are in v.
func (g *Go) fields(r *model.Ref, v *Value) []string {
	t, at := instance(g.Model, r)
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
			if inner := g.promoted(t, typ, v); inner != nil {
				parts = append(parts, f.Name+": "+g.Expr(typ, inner, f.Name))
			}
		case member != nil && member.Kind != Null:
			parts = append(parts, f.Name+": "+g.Expr(typ, member, f.Name))
		}
	}
	return parts
}

// promoted returns the part of an object for t that belongs to the struct r,
// which t inlines; nil if the object has none of its fields, or t hides them.
func (g *Go) promoted(t *model.Type, r *model.Ref, v *Value) *Value {
	inner := Pointee(g.Model, r)
	if inner == nil {
		return nil
	}
	fields := Fields(g.Model, inner)
	own := *v
	own.Members = nil
	for _, member := range v.Members {
		if _, ok := fields[member.Key]; ok && t.FieldByJSON(member.Key) == nil && member.Value.Kind != Null {
			own.Members = append(own.Members, member)
		}
	}
	if len(own.Members) == 0 {
		return nil
	}
	return &own
}

// GoString writes a string as Go source.
func GoString(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
