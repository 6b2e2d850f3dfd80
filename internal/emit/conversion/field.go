package conversion

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// field prints the conversion of a field that both versions have.
func (w *writer) field(op *plan.Op, way plan.Way) {
	from, to := op.Older, op.Hub
	if way == plan.Down {
		from, to = to, from
	}
	in, out := w.in(from), w.out(to)
	if from.OmitZero && w.plan.FillsZero(op.Value, way) {
		source, dest := op.Value.Ends(way)
		w.f.P("if ", w.isZero(source, in), " { // absent in JSON")
		w.f.P(out, " = ", w.zero(dest))
		w.f.P("} else {")
		defer w.f.P("}")
	}
	w.fieldValue(op.Value.At(way), op.Hub, way, in, out, at{name: wireName(from), span: op.Span})
}

// fieldValue prints the conversion of a field's value. Functions and transforms do not run for values that JSON leaves out.
func (w *writer) fieldValue(v *plan.Value, hub *plan.Field, way plan.Way, in, out string, here at) {
	if !here.isSet && (v.Transforms() || v.Calls(way)) {
		from, to := v.Ends(way)
		if condition := w.isSet(from, in, way == plan.Up && v.EmptyIsAbsent || way == plan.Down && (v.HubEmptyIsAbsent || v.Wraps())); condition != "" {
			w.f.P("if ", condition, " {")
			defer func() {
				w.f.P("} else {")
				w.f.P(out, " = ", w.zero(to))
				w.f.P("}")
			}()
		}
	}
	switch {
	case v.Kind != plan.Chain:
		w.value(v, way, in, out, here)
	case way == plan.Up:
		start := w.cross(v.Elem, way, in, local(hub, w.older.Name), here)
		w.f.P(out, " = ", w.climb(hub, v.Steps, start, here))
	default:
		in = w.argument(v, hub, in, here)
		end := w.descend(hub, v.Steps, in, here)
		if strings.Contains(end, "(") && !w.converts(v.Elem, way) {
			name := local(hub, w.older.Name) // function results are not addressable
			w.f.P(name, " := ", end)
			end = name
		}
		w.value(v.Elem, way, end, out, here)
	}
}

// cross returns the value as an expression of the newest version's package. The
// value is converted in the expression or in a new variable.
func (w *writer) cross(v *plan.Value, way plan.Way, in, name string, here at) string {
	if e, ok := w.expression(v, way, in); ok {
		return e
	}
	_, to := v.Ends(way)
	w.f.P("var ", name, " ", w.f.Type(to))
	w.value(v, way, in, name, here.inNew())
	return name
}

// climb prints the steps of a value from its first type to the newest, and
// returns the expression that it ends in.
func (w *writer) climb(f *plan.Field, steps []*plan.Step, v string, here at) string {
	for i, s := range steps {
		v = w.step(s, plan.Up, v, w.result(f, steps, i), here)
	}
	return v
}

// descend prints the steps back, and returns the expression that they end in.
func (w *writer) descend(f *plan.Field, steps []*plan.Step, v string, here at) string {
	for i, s := range slices.Backward(steps) {
		v = w.step(s, plan.Down, v, w.result(f, steps, i-1), here)
	}
	return v
}

// result returns the name of a variable for the value after a step, -1 for the one before the first.
func (w *writer) result(f *plan.Field, steps []*plan.Step, i int) string {
	switch {
	case i < 0:
		return local(f, w.older.Name)
	case i+1 < len(steps) && steps[i+1].Since == steps[i].Since:
		return local(f, steps[i].Since) + "Item" // of the list that it becomes
	}
	return local(f, steps[i].Since)
}

// step prints one step between two types of the newest version's package. It uses
// the author's function or a lossless Go conversion.
func (w *writer) step(s *plan.Step, way plan.Way, v, name string, here at) string {
	fn := s.Func(way)
	if fn == nil {
		if s.Value.Kind == plan.Wrap && strings.Contains(v, "(") {
			from := "from" + strings.ToUpper(name[:1]) + name[1:] // evaluated once
			w.f.P(from, " := ", v)
			v = from
		}
		w.sharing = true
		defer func() { w.sharing = false }()
		return w.cross(s.Value, way, v, name, here)
	}
	call := w.f.Ident(w.hub.Path, fn.Name) + "(" + v + ")"
	if fn.Transform != nil {
		call = w.transform(s, way, v)
	}
	if fn.Fails {
		w.f.P(name, ", err := ", call)
		w.f.P("if err != nil {")
		w.fails(here)
		w.f.P("}")
		call = name
	}
	if way == plan.Up && s.Completes {
		return w.completed(s.Value.Hub, s.Since, call, name, here)
	}
	return call
}

// transform returns a call that converts a value without a function of the author.
func (w *writer) transform(s *plan.Step, way plan.Way, v string) string {
	function := "Upgraded"
	if way == plan.Down {
		function = "Downgraded"
	}
	_, to := s.Value.Ends(way)
	return w.f.Ident(gofile.RuntimeWire, function) + "[" + w.f.Type(to) + "](" + w.f.Ident(gofile.RuntimeWire, "Transform") + w.transformLiteral(s.Func(way).Transform) + ", " + v + ")"
}

func (w *writer) transformLiteral(t *wire.Transform) string {
	parts := []string{pairs("Name", t.Name)}
	if len(t.Args) > 0 {
		parts = append(parts, "Args: "+texts(t.Args))
	}
	if t.Inverted {
		parts = append(parts, "Inverted: true")
	}
	if t.Bits > 0 {
		parts = append(parts, "Bits: "+strconv.Itoa(t.Bits))
	}
	if t.Unsigned {
		parts = append(parts, "Unsigned: true")
	}
	if len(t.Values) > 0 {
		var list []string
		for _, pair := range t.Values {
			list = append(list, "{"+strconv.Quote(pair[0])+", "+strconv.Quote(pair[1])+"}")
		}
		parts = append(parts, "Values: [][2]string{"+strings.Join(list, ", ")+"}")
	}
	if t.Zero != "" {
		parts = append(parts, "Zero: "+quoted(t.Zero))
	}
	if t.Omits {
		parts = append(parts, "Omits: true")
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// local returns the name of a variable for a field's value in a version:
// portsV1beta1. The upper-case letter avoids conflicts with imports.
func local(f *plan.Field, version string) string {
	name, v := []rune(f.Go), []rune(version)
	n := 0
	for n < len(name) && unicode.IsUpper(name[n]) {
		n++
	}
	if n > 1 && n < len(name) {
		n--
	}
	for i := range n {
		name[i] = unicode.ToLower(name[i])
	}
	v[0] = unicode.ToUpper(v[0])
	return string(name) + string(v)
}

// at is the path of a value that is converted, for errors.
type at struct {
	// name is the field's JSON name; empty for the argument of a function.
	name string
	// below is the rest of the path: .Index(i).Key(key).
	below string
	span  source.Span
	// isNew means that the destination is a zero value.
	isNew bool
	// isSet means that the source is no value that JSON leaves out.
	isSet bool
}

func (a at) inNew() at { a.isNew = true; return a }
func (a at) ofSet() at { a.isSet = true; return a }

func (a at) index(i string) at { a.below += ".Index(" + i + ")"; return a }
func (a at) key(k string) at   { a.below += ".Key(" + k + ")"; return a }

// fails prints how a function ends if the conversion of a value fails with err.
func (w *writer) fails(here at) {
	if w.comparing {
		w.f.P("return true")
	} else {
		w.f.P("return ", w.wrap(here, "err"))
	}
}

// wrap returns an expression that adds the path to err.
func (w *writer) wrap(here at, err string) string {
	if here.name == "" && here.below == "" {
		return err
	}
	path := "(*" + w.f.Ident(machineryField, "Path") + ")(nil)"
	if here.name != "" {
		path = w.f.Ident(machineryField, "NewPath") + `("` + here.name + `")`
	}
	return w.f.Ident(gofile.RuntimeConvert, "At") + "(" + path + here.below + ", " + err + ")"
}
