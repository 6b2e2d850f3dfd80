package conversion

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/value"
)

// fill prints the value of a field that the older version lacks.
func (w *writer) fill(op *plan.Op) {
	w.fillIn(op, w.out(op.Hub), at{name: wireName(op.Hub), span: op.Span})
}

func (w *writer) fillIn(op *plan.Op, out string, here at) {
	fill := op.Fill
	name := local(op.Hub, fill.Since)
	switch {
	case fill.Func != nil:
		v := w.f.Ident(w.hub.Path, fill.Func.Name) + "()"
		if fill.Completes {
			v = w.completed(fill.Type, fill.Since, v, name, here)
		}
		w.f.P(out, " = ", w.climb(op.Hub, fill.Steps, v, here))
	case fill.Value != nil:
		w.f.P("var ", name, " ", w.f.Type(fill.Type), " = ", w.defaultLiteral(fill.Type, fill.JSON, name, true))
		w.at(fill.Since).fieldValue(fill.Value.At(plan.Up), op.Hub, plan.Up, name, out, here)
	default:
		w.f.P(out, " = ", w.defaultLiteral(fill.Type, fill.JSON, name, true))
	}
}

// at returns a writer that converts values of another older version, in the same file.
func (w *writer) at(version string) *writer {
	for path, p := range w.c.Plans {
		if p.Hub == w.plan.Hub && p.Older.Name == version {
			other := *w
			other.plan, other.older, other.unproven = p, w.m.Package(path), true
			return &other
		}
	}
	return w
}

// defaultLiteral returns the Go literal of a default of type r. If typed is set, the context has
// the type, so constants need no conversion.
func (w *writer) defaultLiteral(r *model.Ref, text, name string, typed bool) string {
	v, _ := value.Parse(text)
	if v == nil {
		return "nil" // already reported
	}
	if typed {
		return w.printer(name).Expr(r, v, name)
	}
	return w.printer(name).Typed(r, v, name)
}

// printer returns a printer of defaults whose variables begin with a name.
func (w *writer) printer(name string) *value.Go {
	n := 0
	return &value.Go{
		Model: w.m, File: w.f,
		Const: func(r *model.Ref, v *value.Value) (value.GoConst, bool) {
			c, ok := enumConstant(w.m, r, v)
			return c, ok && w.names(c.Package, c.Name)
		},
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
