package conversion

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// argument prints a copy of a value of the hub's package, which the author's functions may
// change, and returns it.
func (w *writer) argument(v *plan.Value, hub *plan.Field, in string, here at) string {
	if w.owned || !slices.ContainsFunc(v.Steps, func(s *plan.Step) bool { return s.Down != nil && s.Down.Transform == nil }) {
		return in
	}
	same := &plan.Value{Kind: plan.Same, Older: v.Hub, Hub: v.Hub}
	return w.cross(same, plan.Down, in, local(hub, w.hub.Name), here)
}

// given returns the argument of a function that converts a type. The author's functions get a copy, because what they
// return may share memory with it. in is a pointer. It may print the declaration of a variable.
func (w *writer) given(t *plan.Type, way plan.Way, in string) string {
	from, _ := t.Ends(way)
	r := w.ref(from)
	if w.owned || !t.ByHand(way) || w.flat(r) {
		return in
	}
	declared := w.m.Type(from)
	switch methods := w.copyMethods.Of(declared); {
	case methods.Copy && methods.Pointer:
		return strings.TrimPrefix(in, "&") + ".DeepCopy()"
	case methods.Copy:
		return "new(" + strings.TrimPrefix(in, "&") + ".DeepCopy())"
	case methods.Into:
		w.f.P("var copied ", w.f.Type(r))
		w.f.P(strings.TrimPrefix(in, "&"), ".DeepCopyInto(&copied)")
		return "&copied"
	case w.m.Struct(r) != nil && from.Package != w.hub.Path && declared.Instance == nil:
		w.c.Diags.Errorf(declared.Span, codeNoCopy, "%s gets a copy of its argument, and %s has no method that copies it; generate one with +%s=true, or write DeepCopyInto",
			w.function(t, way), declared.Name, foreign.ObjectGenerate)
		return in
	}
	w.f.P("var copied ", w.f.Type(r))
	w.value(&plan.Value{Kind: plan.Same, Older: r, Hub: r}, way, dereference(in), "copied", at{span: declared.Span, isNew: true})
	return "&copied"
}

// declaresCopy reports whether given prints the declaration of a variable.
func (w *writer) declaresCopy(t *plan.Type, way plan.Way) bool {
	from, _ := t.Ends(way)
	return !w.owned && t.ByHand(way) && !w.flat(w.ref(from)) && !w.copyMethods.Of(w.m.Type(from)).Copy
}

// copiesHub prints a copy of a struct of the hub's package, whose methods may not be generated
// yet. It returns false for other types.
func (w *writer) copiesHub(r *model.Ref, in, out string) bool {
	t := w.m.Type(r.ID())
	if t == nil || t.Generic || t.Package != w.hub.Path && t.Instance == nil {
		return false
	}
	base := w.declared(t)
	switch {
	case base == nil || base.Generic:
		return false
	case base.Package != t.Package: // it may have fields that only its methods copy
		if !w.copyMethods.Of(base).Into {
			return false
		}
		name := w.typeName(base.ID())
		w.f.P("(*", name, ")(", address(in), ").DeepCopyInto((*", name, ")(", address(out), "))")
		return true
	}
	if !slices.Contains(*w.copyTypes, t) {
		*w.copyTypes = append(*w.copyTypes, t)
	}
	w.f.P(w.copyName(t), "(", address(in), ", ", address(out), ")")
	return true
}

// copyName returns the name of the function that copies a struct.
func (w *writer) copyName(t *model.Type) string {
	if t.Package != w.hub.Path {
		return "copy_" + w.older.Name + "_" + t.Name
	}
	return "copy_" + t.Name
}

// declared returns the struct that a type is, or is declared from; nil if it is no struct.
func (w *writer) declared(t *model.Type) *model.Type {
	if w.m.Underlying(t.Ref()).Kind == model.KindPointer {
		return nil
	}
	return w.m.Struct(t.Ref())
}

// copyFunctions prints the functions that copy structs of the hub's package.
func (w *writer) copyFunctions() {
	for i := 0; i < len(*w.copyTypes); i++ { // a function may need others
		t := (*w.copyTypes)[i]
		name := w.typeName(t.ID())
		w.f.P("func ", w.copyName(t), "(in, out *", name, ") {")
		w.f.P("*out = *in")
		of := w.declared(t)
		for _, f := range of.Fields {
			if w.m.IsConverted(f) && !w.flat(f.Type) {
				same, field := &plan.Value{Kind: plan.Same, Older: f.Type, Hub: f.Type}, &plan.Field{Go: f.Name}
				if t.Package == w.hub.Path && !f.Exported() {
					field.Accessor = model.ConversionAccessor(of.Name, f.Name)
				}
				w.value(same, plan.Down, w.in(field), w.out(field), at{span: f.Span})
			}
		}
		w.f.P("}")
		w.f.P()
	}
}
