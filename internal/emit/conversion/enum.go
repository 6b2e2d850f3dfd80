package conversion

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
)

// enumBody prints the conversion of an enum. All values that the plan does not name are
// copied.
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
			names = append(names, w.constant(from, c.From))
		}
		w.f.P("case ", strings.Join(names, ", "), ":")
		w.f.P("*out = ", w.constant(to, cases[0].To))
		cases = cases[n:]
	}
	w.f.P("default:")
	w.f.P("*out = ", w.typeName(to), "(*in)")
	w.f.P("}")
}

// constant returns an expression of a value of an enum.
func (w *writer) constant(enum model.Name, c plan.Const) string {
	switch {
	case c.Go != "" && w.names(enum.Package, c.Go):
		return w.f.Ident(enum.Package, c.Go)
	case w.m.Underlying(w.ref(enum)).IsString():
		return strconv.Quote(c.Value)
	}
	return c.Value
}

// names reports whether the file can name a constant of a package.
func (w *writer) names(pkg, constant string) bool {
	return pkg == w.older.Path || token.IsExported(constant)
}
