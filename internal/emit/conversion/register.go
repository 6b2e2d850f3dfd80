package conversion

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// registration prints RegisterConversions and adds it to the package's AddToScheme.
func (w *writer) registration() {
	if model.Skips(w.older.Tags, model.PartRegister) || !w.anyFunction() {
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
	for _, t := range w.plan.Types {
		for _, way := range plan.Ways {
			if w.hasFunction(t, way) {
				w.register(t, way)
			}
		}
	}
	w.f.P("return nil")
	w.f.P("}")
	w.f.P()
}

func (w *writer) anyFunction() bool {
	return slices.ContainsFunc(w.plan.Types, func(t *plan.Type) bool {
		return w.hasFunction(t, plan.Up) || w.hasFunction(t, plan.Down)
	})
}

func (w *writer) register(t *plan.Type, way plan.Way) {
	add := "AddGeneratedConversionFunc"
	if t.ByHand(way) {
		add = "AddConversionFunc"
	}
	from, to := t.Ends(way)
	a, b := w.typeName(from), w.typeName(to)
	w.f.P("if err := s.", add, "((*", a, ")(nil), (*", b, ")(nil), func(a, b any, scope ", w.f.Ident(machineryConversion, "Scope"), ") error {")
	w.f.P("return ", w.function(t, way), "(", w.given(t, way, "a.(*"+a+")"), ", b.(*", b, "), scope)")
	w.f.P("}); err != nil {")
	w.f.P("return err")
	w.f.P("}")
}
