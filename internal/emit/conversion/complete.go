package conversion

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// completed prints the completion of what a function of the author returned, and returns the
// variable that has it.
func (w *writer) completed(r *model.Ref, since, v, name string, here at) string {
	if v != name {
		w.f.P(name, " := ", v)
	}
	w.complete(r, since, name, here)
	return name
}

// complete prints the completion of a value. v is addressable.
func (w *writer) complete(r *model.Ref, since, v string, here at) {
	if t := w.m.Type(r.ID()); t != nil && t.IsStruct() {
		w.f.P("if err := ", completion(t.ID(), since), "(", address(v), "); err != nil {")
		w.fails(here)
		w.f.P("}")
		return
	}
	switch u := w.m.Underlying(r); u.Kind {
	case model.KindPointer:
		w.f.P("if ", v, " != nil {")
		w.complete(u.Elem, since, "*"+v, here)
		w.f.P("}")
	case model.KindSlice, model.KindArray:
		i := index(w.depth)
		w.f.P("for ", i, " := range ", v, " {")
		w.nested(func() { w.complete(u.Elem, since, operand(v)+"["+i+"]", here.index(i)) })
		w.f.P("}")
	case model.KindMap:
		k, item := keyName(w.depth), valueName(w.depth)
		w.f.P("for ", k, ", ", item, " := range ", v, " {")
		w.nested(func() { w.complete(u.Elem, since, item, here.key(w.keyText(u.Key, k))) })
		w.f.P(operand(v), "[", k, "] = ", item)
		w.f.P("}")
	}
}

// completions prints the functions that complete.
func (w *writer) completions() {
	for _, c := range w.plan.Completions {
		name := completion(c.Type, c.Since)
		w.f.Doc(name + " sets the unset fields that versions after " + c.Since + " added with a default.")
		w.f.P("func ", name, "(out *", w.typeName(c.Type), ") error {")
		for _, f := range c.Fields {
			out, here := w.out(f.Op.Hub), at{name: wireName(f.Op.Hub), span: f.Op.Span}
			if f.Op.Kind == plan.Add {
				w.f.P("if ", w.unset(f.Op.Type, out), " {")
				w.fill(f.Op)
				w.f.P("}")
			}
			if f.Since != "" {
				w.complete(f.Op.Type, f.Since, out, here)
			}
		}
		w.f.P("return nil")
		w.f.P("}")
		w.f.P()
	}
}

// completeSet prints the completion of a field of out, unless it is unset.
func (w *writer) completeSet(f *plan.CompletionField) {
	out, here := w.out(f.Op.Hub), at{name: wireName(f.Op.Hub), span: f.Op.Span}
	u := w.m.Underlying(f.Op.Type)
	isValue := u.Kind == model.KindStruct || u.Kind == model.KindArray
	if isValue {
		w.f.P("if !", w.unset(f.Op.Type, out), " {")
	}
	w.complete(f.Op.Type, f.Since, out, here)
	if isValue {
		w.f.P("}")
	}
}

// unset returns a condition that a value is the zero value.
func (w *writer) unset(r *model.Ref, v string) string {
	switch u := w.m.Underlying(r); {
	case u.IsString():
		return v + ` == ""`
	case u.IsBool():
		return "!" + v
	case u.IsScalar():
		return v + " == 0"
	case u.Kind == model.KindStruct || u.Kind == model.KindArray:
		return w.f.Ident("reflect", "ValueOf") + "(" + v + ").IsZero()"
	}
	return v + " == nil"
}

func completion(t model.Name, since string) string { return "complete_" + since + "_" + t.Name }
