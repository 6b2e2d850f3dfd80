package conversion

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// hookName returns the name of the function that calls a hook of the author.
func hookName(t *plan.Type, h *plan.Hook, way plan.Way) string {
	if way == plan.Up {
		return "upgrade_" + h.Version + "_" + t.Older.Name
	}
	return "downgrade_" + h.Version + "_" + t.Older.Name
}

// callHooks prints the calls of a struct's hooks after its conversion.
func (w *writer) callHooks(t *plan.Type, way plan.Way) {
	for _, h := range t.HooksOf(way) {
		w.f.P("if err := ", hookName(t, h, way), "(in, out); err != nil {")
		w.f.P("return err")
		w.f.P("}")
	}
}

// hooks prints the functions that call hooks.
func (w *writer) hooks() {
	for _, t := range w.plan.Types {
		for _, way := range plan.Ways {
			for _, h := range t.HooksOf(way) {
				w.hook(t, h, way)
			}
		}
	}
}

func (w *writer) hook(t *plan.Type, h *plan.Hook, way plan.Way) {
	from, to := t.Ends(way)
	fn, name := h.Func(way), hookName(t, h, way)
	scope := w.scope
	w.scope = "nil"
	defer func() { w.scope = scope }()
	w.f.Doc(name + " calls " + fn.Name + " after the conversion of " + withArticle(t.Older.Name) + ".")
	w.f.P("func ", name, "(in *", w.typeName(from), ", out *", w.typeName(to), ") error {")
	w.f.P("var before ", w.typeName(fn.Before))
	older := "in."
	first, second := "&before", "out"
	if way == plan.Down {
		older, first, second = "out.", "&hub", "&before"
		w.f.P("var hub ", w.typeName(from))
		same := model.Named(from.Package, from.Name)
		w.value(&plan.Value{Kind: plan.Same, Older: same, Hub: same}, way, "*in", "hub", at{span: t.Span, isNew: true})
	}
	field := func(f *plan.HookField, way plan.Way) {
		in, out, at := older+f.Older.Go, "before."+f.Before.Go, at{name: wireName(f.Older), span: t.Span}
		if way == plan.Down {
			in, out = out, in
		} else {
			at = at.inNew()
		}
		w.fieldValue(f.Value.At(way), f.Before, way, in, out, at)
	}
	for _, f := range fn.Fields {
		field(f, plan.Up)
	}
	call := w.f.Ident(w.hub.Path, fn.Name) + "(" + first + ", " + second + ")"
	if fn.Fails {
		w.f.P("if err := ", call, "; err != nil {")
		w.f.P("return err")
		w.f.P("}")
	} else {
		w.f.P(call)
	}
	if way == plan.Down {
		for _, f := range fn.Fields {
			field(f, plan.Down)
		}
	}
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
}
