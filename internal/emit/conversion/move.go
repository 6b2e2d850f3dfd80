package conversion

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// move prints the conversion of a field that the versions have at different paths. Parents are
// created for values that are not zero.
func (w *writer) move(op *plan.Op, way plan.Way) {
	from, to := op.Path(way, true), op.Path(way, false)
	var names []string
	here := at{span: op.Span}.inNew()
	for _, f := range from {
		if name := wireName(f); f.Entry {
			here = here.key(strconv.Quote(name))
		} else if name != "" {
			names = append(names, name)
		}
	}
	here.name = strings.Join(names, `", "`)
	hub := op.HubPath[len(op.HubPath)-1]
	entry, of := op.Entry()
	switch {
	case entry == nil:
		in, conditions := w.creates(from)
		w.f.P("if ", strings.Join(conditions, " && "), " {")
		w.fieldValue(op.Value.At(way), hub, way, in, w.create(to), here.ofSet())
	case way != of:
		w.leaveEntry(op, way, here)
	default:
		w.enterEntry(op, way, here)
	}
	w.f.P("}")
}

// create prints statements that create the parents on a path in the destination, and returns the field
// at its end.
func (w *writer) create(path []*plan.Field) string {
	out := "out"
	for i, f := range path {
		out = w.of(out, i == 0 || path[i-1].Type.Kind == model.KindPointer, f)
		if i < len(path)-1 && f.Type.Kind == model.KindPointer {
			w.f.P("if ", out, " == nil {")
			w.f.P(out, " = new(", w.f.Type(f.Type.Elem), ")")
			w.f.P("}")
		}
	}
	return out
}

// entryMap returns the map in which a label or an annotation is, and the key.
func entryMap(path []*plan.Field) (of, key string) {
	for _, f := range path[:len(path)-1] {
		of += "." + f.Go
	}
	return of, strconv.Quote(path[len(path)-1].JSON)
}

// leaveEntry prints the conversion of a label or an annotation to a field.
func (w *writer) leaveEntry(op *plan.Op, way plan.Way, here at) {
	from, to := op.Path(way, true), op.Path(way, false)
	entries, key := entryMap(from)
	hub, last := op.HubPath[len(op.HubPath)-1], to[len(to)-1]
	w.f.P("if text, ok := in", entries, "[", key, "]; ok {")
	w.f.P("delete(out", entries, ", ", key, ")")
	w.f.P("if len(out", entries, ") == 0 {")
	w.f.P("out", entries, " = nil")
	w.f.P("}")
	in := "text"
	if typ := from[len(from)-1].Type; typ.Kind == model.KindPointer {
		w.f.P("entry := ", w.ofText(typ.Elem))
		w.f.P("older := &entry")
		in = "older"
	} else if !typ.Equal(model.Builtin("string")) {
		w.f.P("older := ", w.ofText(typ))
		in = "older"
	}
	w.f.P("var value ", w.f.Type(last.Type))
	w.fieldValue(op.Value.At(way), hub, way, in, "value", here)
	w.f.P("if ", w.isMoved(last, "value"), " {")
	w.f.P(w.create(to), " = value")
	w.f.P("}")
}

// enterEntry prints the conversion of a field to a label or an annotation.
func (w *writer) enterEntry(op *plan.Op, way plan.Way, here at) {
	from, to := op.Path(way, true), op.Path(way, false)
	entries, key := entryMap(to)
	w.f.P("delete(out", entries, ", ", key, ")")
	in, conditions := w.creates(from)
	w.f.P("if ", strings.Join(conditions, " && "), " {")
	typ := to[len(to)-1].Type
	w.f.P("var value ", w.f.Type(typ))
	w.fieldValue(op.Value.At(way), op.HubPath[len(op.HubPath)-1], way, in, "value", here.ofSet())
	text := "value"
	if typ.Kind == model.KindPointer {
		typ, text = typ.Elem, "*value"
	}
	text = w.toString(typ, text)
	isLabel := to[len(to)-2].JSON == "labels"
	if isLabel {
		w.f.P("if ", w.f.Ident(gofile.RuntimeWire, "IsLabel"), "(", text, ") {")
	}
	w.f.P("if out", entries, " == nil {")
	w.f.P("out", entries, " = map[string]string{}")
	w.f.P("}")
	w.f.P("out", entries, "[", key, "] = ", text)
	if isLabel {
		w.f.P("}")
	}
}

// toString returns a value of a type as a string.
func (w *writer) toString(r *model.Ref, v string) string {
	if r.Equal(model.Builtin("string")) {
		return v
	}
	return "string(" + v + ")"
}

// ofText returns the string text as a value of a type.
func (w *writer) ofText(r *model.Ref) string {
	if r.Equal(model.Builtin("string")) {
		return "text"
	}
	return w.f.Type(r) + "(text)"
}

// creates returns the source of a moved field, and the conditions under which it is not zero.
func (w *writer) creates(from []*plan.Field) (in string, conditions []string) {
	in = "in"
	for i, f := range from {
		if in = w.of(in, i == 0 || from[i-1].Type.Kind == model.KindPointer, f); i < len(from)-1 {
			if f.Type.Kind == model.KindPointer {
				conditions = append(conditions, in+" != nil")
			}
			continue
		}
		conditions = append(conditions, w.isMoved(f, in))
	}
	return in, conditions
}

// isMoved returns the condition that the value of a field is not zero, so that it moves.
func (w *writer) isMoved(f *plan.Field, in string) string {
	u := w.m.Underlying(f.Type)
	if u.Kind == model.KindSlice || u.Kind == model.KindMap || u.IsScalar() || u.Kind == model.KindPointer || u.Kind == model.KindInterface {
		return w.isSet(f.Type, in, f.OmitEmpty || u.IsScalar())
	}
	if f.Type.ID() == model.Quantity { // which remembers its spelling
		return "!" + in + ".IsZero()"
	}
	return "!" + w.f.Ident("reflect", "ValueOf") + "(" + in + ").IsZero()"
}

// leave prints statements that remove the optional parents that are empty without a value that moves
// out of them, the innermost first.
func (w *writer) leave(t *plan.Type, op *plan.Op, way plan.Way) {
	from := op.Path(way, true)
	if from[len(from)-1].Entry {
		return
	}
	_, conditions := w.creates(from)
	path, isPointer := "out", true
	source, sourcePointer := "in", true
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
		path, source = w.of(path, isPointer, at), w.of(source, sourcePointer, f)
		isPointer, sourcePointer = typ.Kind == model.KindPointer, f.Type.Kind == model.KindPointer
		if isPointer {
			conditions = append(conditions, path+" != nil")
		}
		if !at.Inline && !f.Filled && (isPointer || f.Optional) {
			empty := append(slices.Clone(conditions), w.onPaths("HasOnly", f.Type, source, w.plan.Moving(f.Type, way, true)))
			if into := w.plan.Moving(typ, way, false); len(into) > 0 {
				empty = append(empty, "!"+w.onPaths("HasAny", typ, path, into))
			}
			lines = append(lines, "if "+strings.Join(empty, " && ")+" {", path+" = "+w.zero(typ), "}")
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

// onPaths returns the call of a function of the runtime on a struct, with paths in it.
func (w *writer) onPaths(name string, r *model.Ref, in string, paths [][]*plan.Field) string {
	if r.Kind != model.KindPointer {
		in = address(in)
	}
	call := w.f.Ident(gofile.RuntimeWire, name) + "(" + in
	for _, path := range paths {
		var names []string
		for _, f := range path {
			names = append(names, f.Go)
		}
		call += ", " + strconv.Quote(strings.Join(names, "."))
	}
	return call + ")"
}
