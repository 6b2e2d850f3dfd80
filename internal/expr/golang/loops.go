package golang

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/model"
)

// fresh returns a name for a Go variable like that of a variable in CEL.
func (p *printer) fresh(name string) string {
	if name == "_" || name == "" {
		name = "x"
	}
	base := name
	for n := 2; token.IsKeyword(name) || predeclared[name] || p.names[name] || p.banned[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	p.bound[name] = true
	return name
}

// predeclared are the names of Go itself that conditions use.
var predeclared = map[string]bool{
	"len": true, "int64": true, "string": true, "float64": true, "bool": true, "nil": true, "true": true, "false": true,
}

// inFunc prints a function literal whose result is a condition.
func (p *printer) inFunc(params []string, types []string, body func() cond) (string, cond) {
	for _, n := range params {
		p.names[n] = true
	}
	c := simplify(body(), facts{})
	for _, n := range params {
		delete(p.names, n)
	}
	list := make([]string, len(params))
	for i, n := range params {
		list[i] = n + " " + types[i]
	}
	return "func(" + strings.Join(list, ", ") + ") bool { return " + text(c, 0) + " }", c
}

// every is the condition that a body holds for all values of a list.
func (p *printer) every(l *list, name string, body func(value) cond) cond {
	return p.quantify(l, name, true, func(v value) cond { return p.through(l.steps, v, true, body) })
}

// some is the condition that a body holds for one value of a list.
func (p *printer) some(l *list, name string, body func(value) cond) cond {
	return p.quantify(l, name, false, func(v value) cond { return p.through(l.steps, v, false, body) })
}

// through takes a value through the filters and maps of a list.
func (p *printer) through(steps []step, v value, all bool, body func(value) cond) cond {
	if len(steps) == 0 {
		return body(v)
	}
	rest := func(v value) cond { return p.through(steps[1:], v, all, body) }
	if steps[0].change != nil {
		return rest(steps[0].change(v))
	}
	t := steps[0].filter(v)
	if all {
		return or(t.no, rest(v))
	}
	return and(t.yes, rest(v))
}

// quantify prints a loop over the source of a list.
func (p *printer) quantify(l *list, name string, all bool, body func(value) cond) cond {
	if l.literal {
		var list []cond
		for _, x := range l.items {
			list = append(list, body(x))
		}
		if all {
			return and(list...)
		}
		return or(list...)
	}
	name = p.fresh(name)
	size := compared("len("+l.code+")", "==", "0")
	params, types, v := []string{name}, []string{p.typeText(l.elem)}, value(nil)
	function := map[bool]string{true: "Every", false: "Some"}[all]
	if l.keys {
		function += "Key"
		v = p.goValue(name, l.elem, false, l.typ)
	} else {
		types[0] = "*" + types[0]
		v = p.goValue(name, l.elem, true, l.typ)
	}
	code, c := p.inFunc(params, types, func() cond { return body(v) })
	switch {
	case all && c == cond(constant(true)):
		return constant(true)
	case !all && c == cond(constant(false)):
		return constant(false)
	case c == cond(constant(true)) || c == cond(constant(false)):
		if all {
			return size
		}
		return not(size)
	}
	return holds(p.call1(function, l.code, code))
}

// scoped returns a function that evaluates a body with the variable of a
// comprehension bound to a value.
func scoped[T any](p *printer, name string, body func() T) func(value) T {
	outer := append([]binding{}, p.scope...)
	return func(v value) T {
		saved := p.scope
		p.scope = append(append([]binding{}, outer...), binding{name, v})
		defer func() { p.scope = saved }()
		return body()
	}
}

// source returns the list that a comprehension goes over, for each alternative of
// its range.
func (p *printer) source(e *expr.Comprehension) value {
	v := p.value(e.Range)
	for _, a := range v {
		if a.list == nil {
			p.refuse(e, "%s of %s", e.Macro, a.kind)
		}
	}
	return v
}

// quantified prints all, exists and exists_one.
func (p *printer) quantified(e *expr.Comprehension) tri {
	if e.Var2 != "" {
		return p.quantifiedPairs(e)
	}
	body := scoped(p, e.Var, func() tri { return p.truth(e.Body) })
	var yes, no []cond
	for _, a := range p.source(e) {
		l := a.list
		var t tri
		switch e.Macro {
		case expr.AllMacro:
			t = tri{
				p.every(l, e.Var, func(v value) cond { return body(v).yes }),
				p.some(l, e.Var, func(v value) cond { return body(v).no }),
			}
		case expr.ExistsMacro:
			t = tri{
				p.some(l, e.Var, func(v value) cond { return body(v).yes }),
				p.every(l, e.Var, func(v value) cond { return body(v).no }),
			}
		default:
			one := compared(p.count(l.with(step{filter: body}), e.Var), "==", "1")
			ok := p.every(l, e.Var, func(v value) cond { return body(v).ok() })
			t = tri{and(ok, one), and(ok, not(one))}
		}
		yes, no = append(yes, and(a.when, t.yes)), append(no, and(a.when, t.no))
	}
	return tri{or(yes...), or(no...)}
}

// quantifiedPairs prints all(i, x, …) and exists(k, v, …).
func (p *printer) quantifiedPairs(e *expr.Comprehension) tri {
	if e.Macro == expr.ExistsOneMacro {
		p.refuse(e, "exists_one with two variables")
	}
	var yes, no []cond
	for _, a := range p.source(e) {
		l := a.list
		if l.literal || len(l.steps) > 0 {
			p.refuse(e, "%s with two variables on a list that is no field", e.Macro)
		}
		loop := func(all, want bool) cond {
			function := map[bool]string{true: "Every", false: "Some"}[all]
			first := p.fresh(e.Var)
			p.names[first] = true
			second := p.fresh(e.Var2)
			delete(p.names, first)
			var types []string
			var key, item value
			if l.keys {
				u := p.Model.Underlying(l.goType)
				function += "Entry"
				types = []string{p.typeText(u.Key), p.typeText(u.Elem)}
				key, item = p.goValue(first, u.Key, false, expr.StringType()), p.goValue(second, u.Elem, false, a.typ.Elem)
			} else {
				function += "Indexed"
				types = []string{"int64", "*" + p.typeText(l.elem)}
				key = value{{when: constant(true), kind: expr.IntKind, code: first, bits: 40}}
				item = p.goValue(second, l.elem, true, l.typ)
			}
			code, _ := p.inFunc([]string{first, second}, types, func() cond {
				var t tri
				p.bindTo(e.Var, key, func() { p.bindTo(e.Var2, item, func() { t = p.truth(e.Body) }) })
				if want {
					return t.yes
				}
				return t.no
			})
			return holds(p.call1(function, l.code, code))
		}
		isAll := e.Macro == expr.AllMacro
		yes = append(yes, and(a.when, loop(isAll, true)))
		no = append(no, and(a.when, loop(!isAll, false)))
	}
	return tri{or(yes...), or(no...)}
}

// comprehension prints those whose value is no bool.
func (p *printer) comprehension(e *expr.Comprehension) value {
	switch e.Macro {
	case expr.AllMacro, expr.ExistsMacro, expr.ExistsOneMacro:
		return p.quantified(e).value()
	case expr.FilterMacro, expr.MapMacro:
		return p.derived(e)
	case expr.OptMapMacro, expr.OptFlatMapMacro:
		return p.optMap(e)
	}
	p.refuse(e, "%s", e.Macro)
	return nil
}

// derived prints filter and map: a list with one step more.
func (p *printer) derived(e *expr.Comprehension) value {
	var steps []step
	if e.Macro == expr.FilterMacro {
		steps = append(steps, step{filter: scoped(p, e.Var, func() tri { return p.truth(e.Body) })})
	} else {
		if e.Filter != nil {
			steps = append(steps, step{filter: scoped(p, e.Var, func() tri { return p.truth(e.Filter) })})
		}
		steps = append(steps, step{change: scoped(p, e.Var, func() value { return p.value(e.Body) })})
	}
	var out value
	for _, a := range p.source(e) {
		l := a.list
		for _, s := range steps {
			// One item that fails makes the whole list fail.
			ok := p.every(l, e.Var, func(v value) cond {
				if s.filter != nil {
					return s.filter(v).ok()
				}
				return s.change(v).ok()
			})
			a.when = and(a.when, ok)
			l = l.with(s)
		}
		out = append(out, alternative{when: a.when, kind: expr.ListKind, list: l})
	}
	return out
}

// optMap evaluates a body for the value of an optional.
func (p *printer) optMap(e *expr.Comprehension) value {
	body := scoped(p, e.Var, func() value { return p.value(e.Body) })
	var out value
	for _, a := range p.value(e.Range) {
		switch {
		case a.kind != expr.OptionalKind:
		case a.some == nil:
			out = append(out, a)
		case e.Macro == expr.OptFlatMapMacro:
			out = append(out, body(a.some).under(a.when)...)
		default:
			v := body(a.some)
			out = append(out, alternative{when: and(a.when, v.ok()), kind: expr.OptionalKind, some: v})
		}
	}
	return out
}

// count returns the number of values of a list, as an int in Go.
func (p *printer) count(l *list, name string) string {
	if len(l.steps) == 0 || mapsOnly(l) {
		if l.literal {
			return strconv.Itoa(len(l.items))
		}
		return "len(" + l.code + ")"
	}
	always := func(value) cond { return constant(true) }
	if l.literal {
		var args []string
		for _, x := range l.items {
			args = append(args, text(simplify(p.through(l.steps, x, false, always), facts{}), 0))
		}
		return p.call1("CountTrue", args...)
	}
	name = p.fresh(name)
	function, typ, v := "Count", "*"+p.typeText(l.elem), value(nil)
	if l.keys {
		function, typ = "CountKeys", p.typeText(l.elem)
		v = p.goValue(name, l.elem, false, l.typ)
	} else {
		v = p.goValue(name, l.elem, true, l.typ)
	}
	code, _ := p.inFunc([]string{name}, []string{typ}, func() cond { return p.through(l.steps, v, false, always) })
	return p.call1(function, l.code, code)
}

// slice returns code for a list as a slice in Go, and the type of its items.
func (p *printer) slice(l *list, e expr.Expr) (string, *model.Ref) {
	if l.literal || l.keys || len(l.steps) > 0 {
		p.refuse(e, "a list that is no field")
	}
	return l.code, l.elem
}
