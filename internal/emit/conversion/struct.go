package conversion

import (
	"cmp"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// structBody prints the conversion of a struct, field by field in the order of the
// newest version.
func (w *writer) structBody(t *plan.Type, way plan.Way) {
	if w.castStruct(t, way, "in", "out") {
		return
	}
	var moves []*plan.Op
	for _, op := range t.Fields {
		switch {
		case op.Moved:
			if (op.Kind == plan.Add) == (way == plan.Up) && !t.ByHand(way) {
				f := op.Hub
				if op.Kind == plan.Drop {
					f = op.Older
				}
				w.f.P(w.out(f), " = ", w.empty(op.Type)) // of another object
			}
		case op.Kind == plan.Keep:
			w.field(op, way)
		case op.Kind == plan.Move:
			moves = append(moves, op)
		case op.Kind == plan.Drop:
			w.f.P("// ", w.hub.Name, " has no ", op.Older.Go, ".")
		case way == plan.Up && op.Fill != nil:
			w.fill(op)
		default:
			w.f.P("// ", w.older.Name, " has no ", op.Hub.Go, ".")
			if way == plan.Up && !t.ByHand(way) {
				w.f.P(w.out(op.Hub), " = ", w.empty(op.Type)) // of another object
			}
		}
	}
	for _, op := range moves {
		w.leave(t, op, way)
	}
	for _, op := range moves {
		w.move(op, way)
	}
	w.callHooks(t, way)
}

// wireName returns the field's name in paths: "" for an inlined field.
func wireName(f *plan.Field) string {
	if f.Inline {
		return ""
	}
	return cmp.Or(f.JSON, f.Go)
}

// empty returns an expression of a type's zero value.
func (w *writer) empty(r *model.Ref) string {
	switch u := w.m.Underlying(r); {
	case u.IsString():
		return `""`
	case u.IsBool():
		return "false"
	case u.IsScalar():
		return "0"
	case u.Kind == model.KindStruct || u.Kind == model.KindArray || u.Kind == model.KindNamed:
		return w.f.Type(r) + "{}"
	}
	return "nil"
}
