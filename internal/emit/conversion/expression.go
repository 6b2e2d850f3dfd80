package conversion

import (
	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"slices"
)

// converts reports whether a Go expression converts a value without sharing memory.
func (w *writer) converts(v *plan.Value, way plan.Way) bool {
	f := w.f
	w.f = gofile.New(w.older.Path, w.older.Name) // discarded, with its imports
	defer func() { w.f = f }()
	_, ok := w.expression(v, way, "x")
	return ok
}

// expression returns a Go expression that converts in without sharing memory with
// it, if one exists. It imports what the expression needs.
func (w *writer) expression(v *plan.Value, way plan.Way, in string) (string, bool) {
	from, to := v.Ends(way)
	switch v.Kind {
	case plan.Same:
		if w.sharing {
			return in, true // steps between types convert copies
		}
		return w.copied(from, in)
	case plan.Cast:
		return w.f.Type(to) + "(" + in + ")", true
	case plan.Pair:
		if w.hasFunction(w.plan.Of(v.Older.ID(), v.Hub.ID()), way) {
			return "", false
		}
		u := w.m.Underlying(from)
		if u.IsScalar() {
			return w.f.Type(to) + "(" + in + ")", true
		}
		if u.Equal(w.m.Underlying(to)) {
			if e, ok := w.copied(u, in); ok {
				return w.f.Type(to) + "(" + e + ")", true
			}
		}
	}
	return "", false
}

// copied returns an expression for a copy of a value.
func (w *writer) copied(r *model.Ref, in string) (string, bool) {
	switch {
	case w.flat(r):
		return in, true
	case r.Kind == model.KindSlice && w.flat(r.Elem):
		return w.f.Ident("slices", "Clone") + "(" + in + ")", true
	case r.Kind == model.KindMap && w.flat(r.Key) && w.flat(r.Elem):
		return w.f.Ident("maps", "Clone") + "(" + in + ")", true
	case w.copiesNil(r):
		return operand(in) + ".DeepCopy()", true
	}
	return "", false
}

// copiesNil reports whether a type has nil values and a DeepCopy method that
// returns nil for them: pointers to structs, and declared lists and maps.
func (w *writer) copiesNil(r *model.Ref) bool {
	declared, pointer := r, false
	if r.Kind == model.KindPointer {
		declared, pointer = r.Elem, true
	}
	t := w.m.Type(declared.ID())
	if t == nil {
		return false
	}
	result, ok := t.Copies()
	if !ok || pointer {
		return ok && t.IsStruct() && result
	}
	kind := w.m.Underlying(r).Kind
	return kind == model.KindMap || kind == model.KindSlice
}

// flat reports whether a type contains no references, so that an assignment is a
// deep copy.
func (w *writer) flat(r *model.Ref) bool {
	switch r.Kind {
	case model.KindBuiltin:
		return r.IsScalar()
	case model.KindArray:
		return w.flat(r.Elem)
	case model.KindNamed:
		return !w.deep.Ask(r.ID(), func() bool {
			t := w.m.Type(r.ID())
			if t == nil || t.Generic {
				return true
			}
			if !t.IsStruct() {
				return !w.flat(t.Def)
			}
			return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return !w.flat(f.Type) })
		})
	}
	return false
}
