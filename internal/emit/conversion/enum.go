package conversion

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/plan"
)

// enumBody prints the conversion of an enum. Values without a constant are not
// changed.
func (w *writer) enumBody(t *plan.Type, way plan.Way) {
	from, to := t.Ends(way)
	w.f.P("switch *in {")
	for cases := t.Enum.Cases(way); len(cases) > 0; {
		n := 1
		for n < len(cases) && cases[n].To == cases[0].To {
			n++
		}
		var names []string
		for _, c := range cases[:n] {
			names = append(names, w.f.Ident(from.Package, c.From.Go))
		}
		w.f.P("case ", strings.Join(names, ", "), ":")
		w.f.P("*out = ", w.f.Ident(to.Package, cases[0].To.Go))
		cases = cases[n:]
	}
	w.f.P("default:")
	w.f.P("*out = ", w.typeName(to), "(*in)")
	w.f.P("}")
}
