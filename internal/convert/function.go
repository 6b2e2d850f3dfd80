package convert

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/wiretable"
)

// function is a conversion that only Go code does.
type function struct {
	// names are the functions, and spans their declarations.
	names []string
	spans []source.Span
	// field is what they convert: a field or a type.
	field source.Span
}

func (f *function) Error() string {
	if len(f.names) == 0 {
		return "only Go code converts this value"
	}
	return "only the Go code of " + strings.Join(f.names, " and ") + " converts this value"
}

// newFunction describes a function of a table.
func newFunction(m *model.Model, p *plan.Plan, fn wiretable.Func) *function {
	hub, older := m.Package(p.Hub.Package), m.Package(p.Older.Package)
	f := &function{}
	if t := fn.Type; t != nil {
		if f.field = t.Span; fn.Hook != nil {
			f.add(hub, &fn.Hook.Func(fn.Way).Func)
			return f
		}
		f.handWritten(hub, older, t, fn.Way)
		return f
	}
	f.field = fn.Op.Span
	if fn.Op.Kind == plan.Keep || fn.Op.Kind == plan.Move {
		f.value(hub, older, p, fn.Op.Value, fn.Way)
		return f
	}
	if fn.Op.Kind == plan.Drop {
		f.value(hub, older, p, fn.Op.Last, fn.Way)
		return f
	}
	if f.add(hub, fn.Op.Fill.Func); fn.Op.Fill.Value != nil {
		f.value(hub, older, p, fn.Op.Fill.Value, plan.Up)
	}
	f.steps(hub, fn.Op.Fill.Steps, plan.Up)
	return f
}

func (f *function) add(p *model.Package, fn *plan.Func) {
	if fn != nil && fn.Transform == nil {
		f.addName(p, fn.Name)
	}
}

func (f *function) addName(p *model.Package, name string) {
	if slices.Contains(f.names, name) {
		return
	}
	f.names = append(f.names, name)
	if decl := p.Funcs[name]; decl != nil {
		f.spans = append(f.spans, decl.Span)
	}
}

func (f *function) steps(hub *model.Package, steps []*plan.Step, way plan.Way) {
	for _, s := range steps {
		f.add(hub, s.Func(way))
	}
}

// handWritten adds the conversion of a type that the author has written.
func (f *function) handWritten(hub, older *model.Package, t *plan.Type, way plan.Way) {
	if !t.ByHand(way) {
		return // a type with custom JSON
	}
	from, to := hub, older
	if way == plan.Up {
		from, to = older, hub
	}
	in, out := t.Ends(way)
	f.addName(older, model.ConversionFunc(from, in.Name, to, out.Name))
}

// value adds the functions that convert a value.
func (f *function) value(hub, older *model.Package, p *plan.Plan, v *plan.Value, way plan.Way) {
	if v == nil {
		return
	}
	v = v.At(way)
	f.steps(hub, v.Steps, way)
	if v.Kind == plan.Pair {
		if t := p.Of(v.Older.ID(), v.Hub.ID()); t != nil {
			f.handWritten(hub, older, t, way)
		}
	}
	f.value(hub, older, p, v.Key, way)
	f.value(hub, older, p, v.Elem, way)
}
