package conversion

import "github.com/kindsmith/kindsmith/internal/emit"

// registration prints RegisterConversions and adds it to the package's AddToScheme.
func (w *writer) registration() {
	if emit.Skips(w.older.Constraints, "register") || !w.anyFunction() {
		return
	}
	if builder, ok := emit.SchemeBuilder(w.older); ok {
		w.f.P("func init() {")
		w.f.P(builder, ".Register(RegisterConversions)")
		w.f.P("}")
		w.f.P()
	}
	scheme := w.f.Ident(machineryRuntime, "Scheme")
	w.f.Doc("RegisterConversions adds the conversions between " + w.older.Name + " and " + w.hub.Name + " to a scheme.")
	w.f.P("func RegisterConversions(s *", scheme, ") error {")
	for _, p := range w.pairs {
		for _, d := range []way{up, down} {
			if w.hasFunction(p, d) {
				w.register(p, d)
			}
		}
	}
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
}

func (w *writer) anyFunction() bool {
	for _, p := range w.pairs {
		if w.hasFunction(p, up) || w.hasFunction(p, down) {
			return true
		}
	}
	return false
}

func (w *writer) register(p pair, d way) {
	add := "AddGeneratedConversionFunc"
	if w.byHand(p, d) {
		add = "AddConversionFunc"
	}
	from, to := p.ends(d)
	a, b := w.typeName(from), w.typeName(to)
	w.f.P("if err := s.", add, "((*", a, ")(nil), (*", b, ")(nil), func(a, b any, scope ", w.f.Ident(machineryConversion, "Scope"), ") error {")
	w.f.P("return ", w.function(p, d), "(a.(*", a, "), b.(*", b, "), scope)")
	w.f.P("}); err != nil {")
	w.f.P("return err")
	w.f.P("}")
}
