package conversion

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// hookName returns the name of the function that calls a hook of the author.
func hookName(t *plan.Type, h *plan.Hook, way plan.Way) string {
	name := h.Version + "_" + t.Older.Name
	if h.Split != nil {
		name += "_" + h.Split.WholeField.Go
	}
	if way == plan.Up {
		return "upgrade_" + name
	}
	return "downgrade_" + name
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
				if h.Split != nil {
					w.split(t, h, way)
				} else {
					w.hook(t, h, way)
				}
			}
		}
	}
}

// split prints a function that divides a string into fields, or joins it from them.
func (w *writer) split(t *plan.Type, h *plan.Hook, way plan.Way) {
	from, to := t.Ends(way)
	name, s, whole := hookName(t, h, way), h.Split, h.Split.WholeField
	divides := s.Divides(way)
	if divides {
		w.f.Doc(name + " sets the parts of " + whole.Go + ".")
	} else {
		w.f.Doc(name + " sets " + whole.Go + " from its parts.")
	}
	w.f.P("func ", name, "(in *", w.typeName(from), ", out *", w.typeName(to), ") error {")
	w.f.P("var parts struct {")
	for _, f := range s.Fields {
		if f != nil {
			tag := f.JSON
			if f.OmitEmpty {
				tag += ",omitempty"
			}
			w.f.P(f.Go, " ", w.f.Type(f.Type), " `json:\"", tag, "\"`")
		}
	}
	w.f.P("}")
	typ, pointer := whole.Type, whole.Type.Kind == model.KindPointer
	if pointer {
		typ = typ.Elem
	}
	each := func(out, in string) {
		for _, f := range s.Fields {
			if f != nil {
				w.f.P(out, ".", f.Go, " = ", in, ".", f.Go)
			}
		}
	}
	literal := w.f.Ident(gofile.RuntimeWire, "Split") + w.splitLiteral(&s.Split)
	if divides {
		text := "in." + whole.Go
		if pointer {
			w.f.P(`text := ""`)
			w.f.P("if ", text, " != nil {")
			w.f.P("text = ", w.toString(typ, "*"+text))
			w.f.P("}")
			text = "text"
		} else {
			text = w.toString(typ, text)
		}
		w.f.P("if err := ", w.f.Ident(gofile.RuntimeWire, "Divided"), "(", literal, ", ", text, ", &parts); err != nil {")
		w.f.P("return err")
		w.f.P("}")
		each("out", "parts")
	} else {
		each("parts", "in")
		w.f.P("text, err := ", w.f.Ident(gofile.RuntimeWire, "Joined"), "(", literal, ", &parts)")
		w.f.P("if err != nil {")
		w.f.P("return err")
		w.f.P("}")
		if pointer {
			w.f.P("out.", whole.Go, " = nil")
			w.f.P(`if text != "" {`)
			w.f.P("value := ", w.ofText(typ))
			w.f.P("out.", whole.Go, " = &value")
			w.f.P("}")
		} else {
			w.f.P("out.", whole.Go, " = ", w.ofText(typ))
		}
	}
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
}

func (w *writer) splitLiteral(s *wire.Split) string {
	var parts []string
	for i := range s.Pattern {
		p := &s.Pattern[i]
		var fields []string
		if text := pairs("Text", p.Text, "Key", p.Key); text != "" {
			fields = append(fields, text)
		}
		if p.Zero != nil {
			fields = append(fields, "Zero: []byte("+quoted(string(p.Zero))+")")
		}
		if p.Omits {
			fields = append(fields, "Omits: true")
		}
		if p.Transform != nil {
			fields = append(fields, "Transform: &"+w.f.Ident(gofile.RuntimeWire, "Transform")+w.transformLiteral(p.Transform))
		}
		if p.Group > 0 {
			fields = append(fields, "Group: "+strconv.Itoa(p.Group))
		}
		parts = append(parts, "{"+strings.Join(fields, ", ")+"}")
	}
	text := "{" + pairs("Whole", s.Whole)
	if s.Zero != nil {
		text += ", Zero: []byte(" + quoted(string(s.Zero)) + ")"
	}
	if s.Joined {
		text += ", Joined: true"
	}
	return text + ", Pattern: []" + w.f.Ident(gofile.RuntimeWire, "Part") + "{" + strings.Join(parts, ", ") + "}}"
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
		same := w.ref(from)
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
	for _, f := range fn.Completes {
		w.completeSet(f)
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
