package conversion

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/value"
)

// defaultValue prints the default of a field that the older version lacks, and
// the changes of its type since it was added.
func (w *writer) defaultValue(f *model.Field, added *model.Added) {
	text := added.Default.Text
	steps := w.stepsSince(f, added.Since)
	was := f.Type
	if len(steps) > 0 {
		was = steps[0].From
	}
	var v string
	if value.NamesFunction(text) {
		v = w.f.Ident(w.hub.Path, text) + "()"
	} else {
		v = w.defaultLiteral(was, text, local(f, added.Since), len(steps) == 0)
	}
	here := at{name: wireName(f), span: f.Span}
	w.f.P("out.", f.Name, " = ", w.climb(f, steps, v, here))
}

// defaultLiteral returns a default that fits the type r as Go. In a place that has
// the type already, typed, a constant needs no conversion.
func (w *writer) defaultLiteral(r *model.Ref, text, name string, typed bool) string {
	v, _ := value.Parse(text)
	if v == nil {
		return "nil" // was reported, so nothing is written
	}
	if typed {
		return w.printer(name).Expr(r, v, name)
	}
	return w.printer(name).Typed(r, v, name)
}

// stepsSince returns the changes of a field's type after a version, oldest first.
func (w *writer) stepsSince(f *model.Field, since string) []*model.Changed {
	order := map[string]int{}
	for i, v := range w.hub.Versions {
		order[v.Name] = i
	}
	order[w.hub.Version] = len(w.hub.Versions)
	steps := slices.DeleteFunc(retypes(f.Changes), func(c *model.Changed) bool { return order[c.Since] <= order[since] })
	slices.SortStableFunc(steps, func(a, b *model.Changed) int { return order[a.Since] - order[b.Since] })
	return steps
}

// printer returns a printer of defaults whose variables begin with a name.
func (w *writer) printer(name string) *value.Go {
	n := 0
	return &value.Go{
		Model: w.m, File: w.f,
		Const: func(r *model.Ref, v *value.Value) (value.GoConst, bool) { return enumConstant(w.m, r, v) },
		Var: func(_, expr string) string {
			n++
			variable := name + "Value" + strconv.Itoa(n)
			w.f.P(variable, " := ", expr)
			return variable
		},
	}
}

// enumConstant returns the constant of a type that has a value.
func enumConstant(m *model.Model, r *model.Ref, v *value.Value) (value.GoConst, bool) {
	t := m.Type(r.ID())
	if t == nil || v.Kind != value.String {
		return value.GoConst{}, false
	}
	for _, c := range t.Consts {
		if c.IsString && c.Value == v.Text {
			return value.GoConst{Package: t.Package, Name: c.Name, Type: t.ID()}, true
		}
	}
	return value.GoConst{}, false
}
