package conversion

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/wiretable"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// wireConversion prints how JSON converts: a table, and the functions that it names.
func (w *writer) wireConversion() {
	t := wiretable.New(w.plan)
	w.scope, w.owned, w.unproven = "nil", true, true
	w.f.Doc("WireConversion returns the conversion of JSON objects between " + w.older.Name + " and " + w.hub.Name + ".")
	w.f.P("func WireConversion() ", w.f.Ident(gofile.RuntimeWire, "Conversion"), " {")
	w.f.P("return ", w.f.Ident(gofile.RuntimeWire, "Conversion"), "{")
	w.f.P("Table: &", w.f.Ident(gofile.RuntimeWire, "Table"), "{")
	w.f.P("Group: ", strconv.Quote(t.Group), ", Older: ", strconv.Quote(t.Older), ", Hub: ", strconv.Quote(t.Hub), ",")
	if len(t.Versions) > 0 {
		w.f.P("Versions: ", texts(t.Versions), ",")
	}
	if len(t.Restores) > 0 {
		w.f.P("Restores: []", w.f.Ident(gofile.RuntimeWire, "Restore"), "{")
		for _, r := range t.Restores {
			w.f.P("{", pairs("Annotation", r.Annotation, "Version", r.Version), "},")
		}
		w.f.P("},")
	}
	w.f.P("Types: []", w.f.Ident(gofile.RuntimeWire, "Type"), "{")
	for i := range t.Types {
		w.wireType(&t.Types[i])
	}
	w.f.P("},")
	w.f.P("},")
	if len(t.Funcs) > 0 {
		w.f.P("Funcs: map[string]", w.f.Ident(gofile.RuntimeWire, "Func"), "{")
		for _, fn := range t.Funcs {
			w.wireFunc(fn)
		}
		w.f.P("},")
	}
	w.f.P("}")
	w.f.P("}")
	for _, v := range w.hub.Versions { // of which one may have tracked values of this one
		if p := w.c.Plans[v.Package]; p != nil && p.Hub == w.plan.Hub && tracks(p) {
			w.f.P()
			w.f.P("func init() {")
			w.f.P(w.f.Ident(gofile.RuntimeWire, "Register"), "(", strconv.Quote(w.hub.Path), ", WireConversion)")
			w.f.P("}")
			break
		}
	}
}

func (w *writer) wireType(t *wire.Type) {
	head := "{" + pairs("Kind", t.Kind, "Store", string(t.Store), "Up", t.Up, "Down", t.Down, "OlderFits", t.OlderFits, "HubFits", t.HubFits)
	if t.Restores {
		head += ", Restores: true" // of a kind
	}
	if len(t.Moves) > 0 {
		if head != "{" {
			head += ", "
		}
		w.f.P(head, "Moves: []", w.f.Ident(gofile.RuntimeWire, "Move"), "{")
		for i := range t.Moves {
			w.wireMove(&t.Moves[i])
		}
		head = "}"
	}
	if len(t.Hooks) > 0 {
		list := ""
		for i, h := range t.Hooks {
			if i > 0 {
				list += ", "
			}
			text := pairs("Up", h.Up, "Down", h.Down, "Since", h.Since, "Until", h.Until)
			if h.Split != nil {
				if text != "" {
					text += ", "
				}
				text += "Split: &" + w.f.Ident(gofile.RuntimeWire, "Split") + w.splitLiteral(h.Split)
			}
			list += "{" + text + "}"
		}
		if head != "{" {
			head += ", "
		}
		head += "Hooks: []" + w.f.Ident(gofile.RuntimeWire, "Hook") + "{" + list + "}"
	}
	if len(t.Fields) == 0 {
		w.f.P(head, "},")
		return
	}
	if head != "{" {
		head += ", "
	}
	w.f.P(head, "Fields: []", w.f.Ident(gofile.RuntimeWire, "Field"), "{")
	for i := range t.Fields {
		f := &t.Fields[i]
		line := "{" + pairs("Older", f.Older, "Hub", f.Hub, "FillFunc", f.FillFunc, "Since", f.Since, "Until", f.Until, "Fits", f.Fits)
		add := func(text string) {
			if line != "{" {
				line += ", "
			}
			line += text
		}
		if !f.Value.IsZero() {
			add("Value: " + w.f.Ident(gofile.RuntimeWire, "Value") + w.wireValue(&f.Value))
		}
		for _, text := range []struct {
			name string
			json []byte
		}{{"Fill", f.Fill}, {"OlderZero", f.OlderZero}, {"HubZero", f.HubZero}} {
			if text.json != nil {
				add(text.name + ": []byte(" + quoted(string(text.json)) + ")")
			}
		}
		if len(f.Names) > 0 {
			names := "Names: []" + w.f.Ident(gofile.RuntimeWire, "Name") + "{"
			for i, n := range f.Names {
				if i > 0 {
					names += ", "
				}
				names += "{" + pairs("Since", n.Since, "Key", n.Key) + "}"
			}
			add(names + "}")
		}
		for _, flag := range []struct {
			name string
			set  bool
		}{{"OlderOmits", f.OlderOmits}, {"HubOmits", f.HubOmits}, {"OlderNull", f.OlderNull}, {"HubNull", f.HubNull}, {"Spread", f.Spread}, {"Hooked", f.Hooked}} {
			if flag.set {
				add(flag.name + ": true")
			}
		}
		w.f.P(line, "},")
	}
	w.f.P("}},")
}

func (w *writer) wireMove(m *wire.Move) {
	w.f.P("{")
	if labels := pairs("Since", m.Since, "Until", m.Until); labels != "" {
		w.f.P(labels, ",")
	}
	path := func(name string, steps []wire.Step) {
		list := ""
		for i, s := range steps {
			if i > 0 {
				list += ", "
			}
			list += "{" + pairs("Key", s.Key)
			if s.Zero != nil {
				list += ", Zero: []byte(" + quoted(string(s.Zero)) + ")"
			}
			if s.OtherZero != nil {
				list += ", OtherZero: []byte(" + quoted(string(s.OtherZero)) + ")"
			}
			if s.Filled {
				list += ", Filled: true"
			}
			if s.Optional {
				list += ", Optional: true"
			}
			if s.Entry {
				list += ", Entry: true"
			}
			list += "}"
		}
		w.f.P(name, ": []", w.f.Ident(gofile.RuntimeWire, "Step"), "{", list, "},")
	}
	path("Older", m.Older)
	path("Hub", m.Hub)
	if len(m.Paths) > 0 {
		list := ""
		for i, p := range m.Paths {
			if i > 0 {
				list += ", "
			}
			list += "{Since: " + strconv.Quote(p.Since) + ", Keys: " + texts(p.Keys) + "}"
		}
		w.f.P("Paths: []", w.f.Ident(gofile.RuntimeWire, "Path"), "{", list, "},")
	}
	if !m.Value.IsZero() {
		w.f.P("Value: ", w.f.Ident(gofile.RuntimeWire, "Value"), w.wireValue(&m.Value), ",")
	}
	if m.OlderOmits {
		w.f.P("OlderOmits: true,")
	}
	if m.HubOmits {
		w.f.P("HubOmits: true,")
	}
	w.f.P("},")
}

// wireValue returns the braces of a value's literal.
func (w *writer) wireValue(v *wire.Value) string {
	var parts []string
	switch {
	case v.Type > 0:
		parts = append(parts, "Type: "+strconv.Itoa(v.Type))
	case v.Each != nil:
		parts = append(parts, "Each: &"+w.f.Ident(gofile.RuntimeWire, "Value")+w.wireValue(v.Each))
	case v.Wrap != nil:
		parts = append(parts, "Wrap: &"+w.f.Ident(gofile.RuntimeWire, "Value")+w.wireValue(v.Wrap))
	case v.Enum != nil:
		var ways []string
		for _, d := range []struct {
			name  string
			cases map[string]string
		}{{"Up", v.Enum.Up}, {"Down", v.Enum.Down}} {
			if len(d.cases) > 0 {
				var cases []string
				for _, from := range slices.Sorted(maps.Keys(d.cases)) {
					cases = append(cases, strconv.Quote(from)+": "+strconv.Quote(d.cases[from]))
				}
				ways = append(ways, d.name+": map[string]string{"+strings.Join(cases, ", ")+"}")
			}
		}
		parts = append(parts, "Enum: &"+w.f.Ident(gofile.RuntimeWire, "Enum")+"{"+strings.Join(ways, ", ")+"}")
	}
	if len(v.Transforms) > 0 {
		var list []string
		for i := range v.Transforms {
			list = append(list, w.transformLiteral(&v.Transforms[i]))
		}
		parts = append(parts, "Transforms: []"+w.f.Ident(gofile.RuntimeWire, "Transform")+"{"+strings.Join(list, ", ")+"}")
	}
	if len(v.Chain) > 0 {
		var list []string
		for i := range v.Chain {
			list = append(list, w.wireValue(&v.Chain[i]))
		}
		parts = append(parts, "Chain: []"+w.f.Ident(gofile.RuntimeWire, "Value")+"{"+strings.Join(list, ", ")+"}")
	}
	if len(v.Keys) > 0 {
		parts = append(parts, "Keys: "+texts(v.Keys))
	}
	if v.Set {
		parts = append(parts, "Set: true")
	}
	if rest := pairs("Up", v.Up, "Down", v.Down, "ListSince", v.ListSince, "Since", v.Since, "Until", v.Until, "OlderFits", v.OlderFits, "HubFits", v.HubFits); rest != "" {
		parts = append(parts, rest)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// texts returns a literal of a list of strings.
func texts(list []string) string {
	quoted := make([]string, len(list))
	for i, text := range list {
		quoted[i] = strconv.Quote(text)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}

// pairs returns the fields of a literal that are not empty, from names and values.
func pairs(list ...string) string {
	text := ""
	for i := 0; i < len(list); i += 2 {
		if list[i+1] == "" {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += list[i] + ": " + strconv.Quote(list[i+1])
	}
	return text
}

// quoted returns a Go string literal that is easy to read.
func quoted(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// wireFunc prints a function of a table.
func (w *writer) wireFunc(fn wiretable.Func) {
	name := strconv.Quote(fn.Name)
	if fn.Fits != nil {
		w.f.P(name, ": ", w.f.Ident(gofile.RuntimeWire, "Fits"), "[", w.f.Type(fn.Fits), "](),")
		return
	}
	if fn.Hook != nil {
		w.f.P(name, ": ", w.f.Ident(gofile.RuntimeWire, "Hooked"), "(", w.f.Ident(w.older.Path, hookName(fn.Type, fn.Hook, fn.Way)), "),")
		return
	}
	if fn.Op != nil && fn.Op.Kind == plan.Add {
		w.f.P(name, ": ", w.f.Ident(gofile.RuntimeWire, "Filled"), "(func(out *", w.f.Type(fn.Op.Type), ") error {")
		w.fillIn(fn.Op, "*out", at{span: fn.Op.Span})
		w.endFunc()
		return
	}
	v := &plan.Value{Kind: plan.Pair}
	var hub *plan.Field
	here := at{isNew: true}
	if fn.Op != nil {
		v, hub, here.span = fn.Op.Value, fn.Op.Hub, fn.Op.Span
		switch fn.Op.Kind {
		case plan.Move:
			hub = fn.Op.HubPath[len(fn.Op.HubPath)-1]
		case plan.Drop:
			v, hub = fn.Op.Last, fn.Op.Older
		}
	} else {
		v.Older, v.Hub = w.ref(fn.Type.Older), w.ref(fn.Type.Hub)
		here.span = fn.Type.Span
	}
	from, to := v.Ends(fn.Way)
	w.f.P(name, ": ", w.f.Ident(gofile.RuntimeWire, "Typed"), "(func(in *", w.f.Type(from), ", out *", w.f.Type(to), ") error {")
	if hub != nil {
		w.fieldValue(v.At(fn.Way), hub, fn.Way, "*in", "*out", here)
	} else {
		w.value(v, fn.Way, "*in", "*out", here)
	}
	if fn.Type != nil && fn.Type.Kind {
		_, pkg := w.packages(fn.Way)
		w.f.P("out.TypeMeta = in.TypeMeta")
		w.f.P("out.APIVersion = ", strconv.Quote(apiVersion(pkg)))
	}
	w.endFunc()
}

func (w *writer) endFunc() {
	w.f.P("return nil")
	w.f.P("}),")
}

func apiVersion(p *model.Package) string {
	if p.Group == "" {
		return p.Version
	}
	return p.Group + "/" + p.Version
}
