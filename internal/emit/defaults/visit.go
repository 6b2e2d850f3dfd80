package defaults

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value/goliteral"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
)

// place is a value in generated code.
type place struct {
	// expr is the value; it is assignable and addressable.
	expr string
	// store stores the value back if it is a copy of a map's value.
	store string
	// name is the base of names for local variables.
	name string
	// loops is the number of enclosing loops.
	loops int
	// names is the number of expanded declared types, to detect recursion.
	names int
}

func (w *writer) structField(t *model.Type, f *model.Field) {
	at := place{expr: "in." + f.Name, name: f.Name}
	e, ok := defaulting.OfField(w.c.Model, t, f)
	made := ok && w.assign(at, f.Type, e)
	if defaulting.StaysAbsent(w.c.Model, f) && w.plan.NeedsRef(f.Type) {
		w.f.P("if ", w.present(at, f.Type), " {")
		defer w.f.P("}")
	}
	w.below(at, f.Type, made)
}

// present returns the condition under which omitzero keeps a struct.
func (w *writer) present(at place, r *model.Ref) string {
	if t := w.c.Model.Type(r.ID()); t != nil && t.Methods["IsZero"] != nil {
		return "!" + at.expr + ".IsZero()"
	}
	return "!" + w.f.Ident("reflect", "ValueOf") + "(" + address(at.expr) + ").Elem().IsZero()"
}

// assign prints the assignment of a default to an unset value. It returns whether
// the value is certainly not nil afterwards.
func (w *writer) assign(at place, r *model.Ref, e defaulting.Effective) bool {
	if !w.plan.Sets(r, e) {
		return false
	}
	lit := literal{w: w, constant: e.Const}
	printer := goliteral.Printer{Model: w.c.Model, File: w.f, Width: lineWidth, Const: lit.of, Var: lit.local}
	w.f.Block("if "+printer.Unset(r, gofile.Operand(at.expr))+" {", func() {
		expr := printer.Expr(r, e.Value, at.name)
		for _, line := range lit.locals {
			w.f.P(line)
		}
		w.f.P(at.expr, " = ", expr)
		w.stored(at)
	})
	return true
}

// stored stores a changed map value back.
func (w *writer) stored(at place) {
	if at.store != "" {
		w.f.P(at.store)
	}
}

// below prints what is to be done inside of a value that is there, or that is
// checked for being there unless notNil is set.
func (w *writer) below(at place, r *model.Ref, notNil bool) {
	if !w.plan.NeedsRef(r) {
		return
	}
	if at.names > 16 {
		w.c.Diags.Errorf(w.field.TypeSpan, codeRecursive, "the type of %s refers to itself without a struct in between, so no code can set its defaults; add a struct", w.field.Name)
		return
	}
	u := w.c.Model.Underlying(r)
	if t := w.c.Model.Type(r.ID()); t != nil {
		if u.Kind == model.KindStruct {
			w.belowStruct(at, r, t)
			return
		}
		for _, f := range w.plan.ByHand(t) {
			w.f.P(w.f.Ident(f.Package, f.Name), "(", address(at.expr), ")")
			w.stored(at)
		}
		at.names++
		w.below(at, t.Def, notNil)
		return
	}
	switch u.Kind {
	case model.KindPointer:
		w.belowPointer(at, u, notNil)
	case model.KindSlice, model.KindArray:
		w.items(at, u)
	case model.KindMap:
		w.entries(at, u)
	}
}

// belowStruct calls the function of a struct type. A type declared from another
// struct has its own hand-written functions, which are called before the other's.
func (w *writer) belowStruct(at place, r *model.Ref, t *model.Type) {
	s := w.c.Model.Struct(r)
	if s == nil {
		return
	}
	if s != t {
		for _, f := range w.plan.ByHand(t) {
			w.f.P(w.f.Ident(f.Package, f.Name), "(", address(at.expr), ")")
		}
	}
	if w.plan.Needs(s) {
		w.f.P(w.call(s), "(", w.pointer(at, r, s), ")")
	}
	w.stored(at)
}

// pointer returns a pointer to the struct, converted if the struct's type is
// declared from another.
func (w *writer) pointer(at place, r *model.Ref, s *model.Type) string {
	if r.ID() == s.ID() {
		return address(at.expr)
	}
	return "(*" + w.f.Type(model.Named(s.Package, s.Name)) + ")(" + address(at.expr) + ")"
}

func (w *writer) belowPointer(at place, u *model.Ref, notNil bool) {
	if !notNil {
		w.f.P("if ", at.expr, " != nil {")
		defer w.f.P("}")
	}
	at.expr, at.store = "*"+at.expr, ""
	w.below(at, u.Elem, false)
}

func (w *writer) items(at place, u *model.Ref) {
	i := w.c.Local("i", at.loops)
	w.f.Block("for "+i+" := range "+at.expr+" {", func() {
		w.element(place{
			expr: gofile.Operand(at.expr) + "[" + i + "]", name: at.name + "Item",
			loops: at.loops + 1, names: at.names,
		}, u.Elem)
	})
	if u.Kind == model.KindArray {
		w.stored(at)
	}
}

func (w *writer) entries(at place, u *model.Ref) {
	key, value := w.c.Local("key", at.loops), w.c.Local("value", at.loops)
	if w.plan.Copied(u.Elem) {
		w.f.P("for ", key, ", ", value, " := range ", at.expr, " {")
	} else {
		w.f.P("for _, ", value, " := range ", at.expr, " {")
	}
	w.element(place{
		expr: value, store: gofile.Operand(at.expr) + "[" + key + "] = " + value, name: at.name + "Value",
		loops: at.loops + 1, names: at.names,
	}, u.Elem)
	w.f.P("}")
}

// element prints the defaulting of a list item or map value.
func (w *writer) element(at place, r *model.Ref) {
	e, ok := defaulting.OfValue(w.c.Model, r)
	made := ok && w.assign(at, r, e)
	w.below(at, r, made)
}

// address returns a pointer to an expression's value.
func address(expr string) string {
	if pointer, ok := strings.CutPrefix(expr, "*"); ok {
		return pointer
	}
	return "&" + expr
}
