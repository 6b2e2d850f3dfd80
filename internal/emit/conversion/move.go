package conversion

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// move prints the conversion of a field that the versions have at different paths. Parents are
// created for values that are not zero.
func (w *writer) move(op *plan.Op, way plan.Way) {
	from, to := op.Path(way, true), op.Path(way, false)
	in, conditions := w.creates(from)
	w.f.P("if ", strings.Join(conditions, " && "), " {")
	out := "out"
	for i, f := range to {
		if out += "." + f.Go; i < len(to)-1 && f.Type.Kind == model.KindPointer {
			w.f.P("if ", out, " == nil {")
			w.f.P(out, " = new(", w.f.Type(f.Type.Elem), ")")
			w.f.P("}")
		}
	}
	var names []string
	for _, f := range from {
		if name := wireName(f); name != "" {
			names = append(names, name)
		}
	}
	hub := op.HubPath[len(op.HubPath)-1]
	w.fieldValue(op.Value.At(way), hub, way, in, out, at{name: strings.Join(names, `", "`), span: op.Span}.inNew())
	w.f.P("}")
}

// creates returns the source of a moved field, and the conditions under which it is not zero.
func (w *writer) creates(from []*plan.Field) (in string, conditions []string) {
	in = "in"
	for i, f := range from {
		if in += "." + f.Go; i < len(from)-1 {
			if f.Type.Kind == model.KindPointer {
				conditions = append(conditions, in+" != nil")
			}
			continue
		}
		switch u := w.m.Underlying(f.Type); {
		case u.Kind == model.KindSlice || u.Kind == model.KindMap || u.IsScalar() || u.Kind == model.KindPointer || u.Kind == model.KindInterface:
			conditions = append(conditions, w.isSet(f.Type, in, f.OmitEmpty || u.IsScalar()))
		default:
			conditions = append(conditions, "!"+w.f.Ident("reflect", "ValueOf")+"("+in+").IsZero()")
		}
	}
	return in, conditions
}

// leave prints statements that remove the optional parents that are empty without a value that moves
// out of them, the innermost first.
func (w *writer) leave(t *plan.Type, op *plan.Op, way plan.Way) {
	from := op.Path(way, true)
	_, conditions := w.creates(from)
	path := "out"
	var lines []string
	for _, f := range from[:len(from)-1] {
		i := slices.IndexFunc(t.Fields, func(op *plan.Op) bool {
			return op.Kind == plan.Keep && (way == plan.Up && op.Older.Go == f.Go || way == plan.Down && op.Hub.Go == f.Go)
		})
		if i < 0 {
			break // the destination lacks the parent
		}
		at, v := t.Fields[i].Hub, t.Fields[i].Value
		if way == plan.Down {
			at = t.Fields[i].Older
		}
		_, typ := v.Ends(way)
		if path += "." + at.Go; typ.Kind == model.KindPointer {
			conditions = append(conditions, path+" != nil")
			if !at.Inline {
				lines = append(lines, "if "+strings.Join(append(slices.Clone(conditions), w.f.Ident(machineryEquality, "Semantic")+".DeepEqual("+path+", new("+w.f.Type(typ.Elem)+"))"), " && ")+" {", path+" = nil", "}")
			}
		}
		for v.Kind == plan.Pointer {
			v = v.Elem
		}
		if v.Kind != plan.Pair {
			break
		}
		t = w.plan.Of(v.Older.ID(), v.Hub.ID())
	}
	for i := len(lines) - 3; i >= 0; i -= 3 {
		for _, line := range lines[i : i+3] {
			w.f.P(line)
		}
	}
}
