package conversion

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// castStruct prints the conversion of a struct by a cast of a copy, to which the older version's method copies it. in
// and out are pointers. It returns false if the struct does not cast, or has no such method.
func (w *writer) castStruct(t *plan.Type, way plan.Way, in, out string) bool {
	if w.unproven || !t.Casts(way) || t.Value != nil {
		return false
	}
	older := w.m.Type(t.Older)
	switch {
	case w.flat(w.ref(t.Older)):
		_, to := t.Ends(way)
		if w.identical(t) {
			w.f.P(dereference(out), " = ", w.typeName(to), "(", dereference(in), ")")
		} else {
			w.f.P(dereference(out), " = *", w.castPointer(t, to, in))
		}
	case !w.copyMethods.Of(older).Into:
		return false
	case way == plan.Up:
		w.f.P(receiver(dereference(in)), ".DeepCopyInto(", w.castPointer(t, t.Older, out), ")")
	default:
		w.f.P(w.castPointer(t, t.Older, in), ".DeepCopyInto(", out, ")")
	}
	return true
}

// castPointer returns a pointer to a value of a type that casts as a pointer to the type in the other version.
func (w *writer) castPointer(t *plan.Type, to model.Name, pointer string) string {
	if !w.identical(t) {
		w.prove(t)
		pointer = w.f.Ident("unsafe", "Pointer") + "(" + pointer + ")"
	}
	return "(*" + w.typeName(to) + ")(" + pointer + ")"
}

// castFlat prints the conversion of a list, a map or an array without references by one cast, and returns false for
// other values.
func (w *writer) castFlat(v *plan.Value, way plan.Way, in, out string) bool {
	from, to := v.Ends(way)
	clone := ""
	switch {
	case w.unproven || !w.plan.Cast(v, way):
		return false
	case v.Kind == plan.List && w.flat(from.Elem):
		clone = "slices"
	case v.Kind == plan.Map && w.flat(from.Key) && w.flat(from.Elem):
		clone = "maps"
	case v.Kind != plan.Array || !w.flat(from):
		return false
	}
	w.proveParts(v)
	e := "*(*" + w.f.Type(to) + ")(" + w.f.Ident("unsafe", "Pointer") + "(" + address(in) + "))"
	if clone != "" {
		e = w.f.Ident(clone, "Clone") + "(" + e + ")"
	}
	w.f.P(out, " = ", e)
	return true
}

// castCopy prints the conversion of a pointer to a struct by a cast of a copy, and returns false for other values.
func (w *writer) castCopy(v *plan.Value, way plan.Way, in, out string) bool {
	if w.unproven || v.Kind != plan.Pointer || v.Elem.Kind != plan.Pair || !w.plan.Cast(v, way) {
		return false
	}
	t := w.plan.Of(v.Elem.Older.ID(), v.Elem.Hub.ID())
	methods := w.copyMethods.Of(w.m.Type(t.Older))
	if t.Value != nil || !methods.Copy || !methods.Pointer || !methods.NilSafe {
		return false
	}
	if way == plan.Up {
		w.f.P(out, " = ", w.castPointer(t, t.Hub, operand(in)+".DeepCopy()"))
	} else {
		w.f.P(out, " = ", w.castPointer(t, t.Older, in), ".DeepCopy()")
	}
	return true
}

// identical reports whether the types of both versions have the same underlying type, so that Go converts pointers to
// them.
func (w *writer) identical(t *plan.Type) bool {
	found := false
	w.plan.Paired(t, func(*plan.Type, bool) { found = true })
	return !found
}

// prove notes that the layout of a type is relied on.
func (w *writer) prove(t *plan.Type) {
	if !slices.Contains(*w.proven, t) {
		*w.proven = append(*w.proven, t)
	}
}

// proveParts notes that the layouts of what a list or a map consists of are relied on.
func (w *writer) proveParts(v *plan.Value) {
	w.plan.Paired(&plan.Type{Value: v}, func(t *plan.Type, _ bool) { w.prove(t) })
}

// proofs prints declarations that compile only if the types that are cast have the same layout in both versions: Go
// converts pointers between types with the same underlying type. The types that others consist of are parameters
// of these.
func (w *writer) proofs() {
	if len(*w.proven) == 0 {
		return
	}
	var lines []string
	for i := 0; i < len(*w.proven); i++ { // a type may need others
		t := (*w.proven)[i]
		older, hub := w.typeName(t.Older), w.typeName(t.Hub)
		if w.identical(t) {
			lines = append(lines, "_ = (*"+hub+")((*"+older+")(nil))")
			continue
		}
		var parts []*plan.Type
		keys := map[*plan.Type]bool{}
		w.plan.Paired(t, func(part *plan.Type, key bool) {
			w.prove(part)
			if !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
			keys[part] = keys[part] || key
		})
		var params, ofOlder, ofHub []string
		for _, part := range parts {
			constraint := " any"
			if keys[part] {
				constraint = " comparable"
			}
			params = append(params, part.Older.Name+constraint)
			ofOlder, ofHub = append(ofOlder, w.typeName(part.Older)), append(ofHub, w.typeName(part.Hub))
		}
		layout := "layout_" + t.Older.Name
		w.f.P("type ", layout, "[", strings.Join(params, ", "), "] ", w.layout(t))
		w.f.P()
		for _, of := range [][2]string{{strings.Join(ofOlder, ", "), older}, {strings.Join(ofHub, ", "), hub}} {
			lines = append(lines, "_ = (*"+layout+"["+of[0]+"])((*"+of[1]+")(nil))")
		}
	}
	w.f.P("// These compile only if the types have the same memory layout in both versions; else: kindsmith generate.")
	w.f.P("var (")
	for _, line := range lines {
		w.f.P(line)
	}
	w.f.P(")")
	w.f.P()
}

// layout returns the literal of a type's underlying type in the older version.
func (w *writer) layout(t *plan.Type) string {
	if t.Value != nil {
		return w.f.Type(t.Value.Older)
	}
	var fields strings.Builder
	fields.WriteString("struct {\n")
	for i, op := range t.Fields {
		if !w.m.Type(t.Older).Fields[i].Embedded {
			fields.WriteString(op.Older.Go + " ")
		}
		fields.WriteString(w.f.Type(op.Value.Older) + "\n")
	}
	return fields.String() + "}"
}
