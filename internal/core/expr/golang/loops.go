package golang

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
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
func (p *printer) inFunc(params []string, types []string, body func() goexpr.Expr) goexpr.Literal {
	for _, n := range params {
		p.names[n] = true
	}
	c := goexpr.Simplify(body())
	for _, n := range params {
		delete(p.names, n)
	}
	list := make([]string, len(params))
	for i, n := range params {
		list[i] = n + " " + types[i]
	}
	return goexpr.Literal{Signature: "func(" + strings.Join(list, ", ") + ") bool", Result: c}
}

// every is the condition that a body is true for all values of a list.
func (p *printer) every(l *list, name string, body func(value) goexpr.Expr) goexpr.Expr {
	return p.quantify(l, name, true, func(v value) goexpr.Expr { return p.through(l.steps, v, true, body) })
}

// some is the condition that a body is true for one value of a list.
func (p *printer) some(l *list, name string, body func(value) goexpr.Expr) goexpr.Expr {
	return p.quantify(l, name, false, func(v value) goexpr.Expr { return p.through(l.steps, v, false, body) })
}

// through applies the filters and maps of a list to a value.
func (p *printer) through(steps []step, v value, all bool, body func(value) goexpr.Expr) goexpr.Expr {
	if len(steps) == 0 {
		return body(v)
	}
	rest := func(v value) goexpr.Expr { return p.through(steps[1:], v, all, body) }
	if steps[0].change != nil {
		return rest(steps[0].change(v))
	}
	t := steps[0].filter(v)
	if all {
		return goexpr.Or(t.no, rest(v))
	}
	return goexpr.And(t.yes, rest(v))
}

// quantify prints a loop over the source of a list.
func (p *printer) quantify(l *list, name string, all bool, body func(value) goexpr.Expr) goexpr.Expr {
	if l.literal {
		var list []goexpr.Expr
		for _, x := range l.items {
			list = append(list, body(x))
		}
		if all {
			return goexpr.And(list...)
		}
		return goexpr.Or(list...)
	}
	name = p.fresh(name)
	size := goexpr.Eq(length(l.code), zero)
	params, types, v := []string{name}, []string{p.typeText(l.elem)}, value(nil)
	function := map[bool]string{true: "Every", false: "Some"}[all]
	if l.keys {
		function += "Key"
		v = p.goValue(goexpr.Raw(name), l.elem, l.typ)
	} else {
		types[0] = "*" + types[0]
		v = p.goValue(goexpr.Star(goexpr.Raw(name)), l.elem, l.typ)
	}
	code := p.inFunc(params, types, func() goexpr.Expr { return body(v) })
	switch c := code.Result; {
	case all && c == goexpr.Expr(goexpr.True):
		return goexpr.True
	case !all && c == goexpr.Expr(goexpr.False):
		return goexpr.False
	case c == goexpr.Expr(goexpr.True) || c == goexpr.Expr(goexpr.False):
		if all {
			return size
		}
		return goexpr.Not(size)
	}
	return p.call1(function, l.code, code)
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

// source returns the list that a comprehension iterates over, for each alternative of
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
	var yes, no []goexpr.Expr
	for _, a := range p.source(e) {
		l := a.list
		var t tri
		switch e.Macro {
		case expr.AllMacro:
			t = tri{
				p.every(l, e.Var, func(v value) goexpr.Expr { return body(v).yes }),
				p.some(l, e.Var, func(v value) goexpr.Expr { return body(v).no }),
			}
		case expr.ExistsMacro:
			t = tri{
				p.some(l, e.Var, func(v value) goexpr.Expr { return body(v).yes }),
				p.every(l, e.Var, func(v value) goexpr.Expr { return body(v).no }),
			}
		default:
			p.distinct(l, e)
			one := goexpr.Eq(p.count(l.with(step{filter: body}), e.Var), goexpr.Raw("1"))
			ok := p.every(l, e.Var, func(v value) goexpr.Expr { return body(v).ok() })
			t = tri{goexpr.And(ok, one), goexpr.And(ok, goexpr.Not(one))}
		}
		yes, no = append(yes, goexpr.And(a.when, t.yes)), append(no, goexpr.And(a.when, t.no))
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// quantifiedPairs prints all(i, x, …) and exists(k, v, …).
func (p *printer) quantifiedPairs(e *expr.Comprehension) tri {
	if e.Macro == expr.ExistsOneMacro {
		p.refuse(e, "exists_one with two variables")
	}
	var yes, no []goexpr.Expr
	for _, a := range p.source(e) {
		l := a.list
		if l.literal || len(l.steps) > 0 {
			p.refuse(e, "%s with two variables on a list that is no field", e.Macro)
		}
		loop := func(all, want bool) goexpr.Expr {
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
				key, item = p.goValue(goexpr.Raw(first), u.Key, expr.StringType()), p.goValue(goexpr.Raw(second), u.Elem, a.typ.Elem)
			} else {
				function += "Indexed"
				types = []string{"int64", "*" + p.typeText(l.elem)}
				key = value{{when: goexpr.True, kind: expr.IntKind, code: goexpr.Raw(first), bits: 40}}
				item = p.goValue(goexpr.Star(goexpr.Raw(second)), l.elem, l.typ)
			}
			code := p.inFunc([]string{first, second}, types, func() goexpr.Expr {
				var t tri
				p.bindTo(e.Var, key, func() { p.bindTo(e.Var2, item, func() { t = p.truth(e.Body) }) })
				if want {
					return t.yes
				}
				return t.no
			})
			return p.call1(function, l.code, code)
		}
		isAll := e.Macro == expr.AllMacro
		yes = append(yes, goexpr.And(a.when, loop(isAll, true)))
		no = append(no, goexpr.And(a.when, loop(!isAll, false)))
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// comprehension prints comprehensions whose value is not a bool.
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

// derived prints filter and map: the list with an additional step.
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
			ok := p.every(l, e.Var, func(v value) goexpr.Expr {
				if s.filter != nil {
					return s.filter(v).ok()
				}
				return s.change(v).ok()
			})
			a.when = goexpr.And(a.when, ok)
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
			out = append(out, alternative{when: goexpr.And(a.when, v.ok()), kind: expr.OptionalKind, some: v})
		}
	}
	return out
}

// count returns the number of values of a list, as an int in Go.
func (p *printer) count(l *list, name string) goexpr.Expr {
	if len(l.steps) == 0 || mapsOnly(l) {
		if l.literal {
			return goexpr.Raw(strconv.Itoa(len(l.items)))
		}
		return length(l.code)
	}
	always := func(value) goexpr.Expr { return goexpr.True }
	if l.literal {
		var args []goexpr.Expr
		for _, x := range l.items {
			args = append(args, goexpr.Simplify(p.through(l.steps, x, false, always)))
		}
		return p.call1("CountTrue", args...)
	}
	name = p.fresh(name)
	function, typ, v := "Count", "*"+p.typeText(l.elem), value(nil)
	if l.keys {
		function, typ = "CountKeys", p.typeText(l.elem)
		v = p.goValue(goexpr.Raw(name), l.elem, l.typ)
	} else {
		v = p.goValue(goexpr.Star(goexpr.Raw(name)), l.elem, l.typ)
	}
	code := p.inFunc([]string{name}, []string{typ}, func() goexpr.Expr { return p.through(l.steps, v, false, always) })
	return p.call1(function, l.code, code)
}

// slice returns code for a list as a slice in Go, and the type of its items.
func (p *printer) slice(l *list, e expr.Expr) (code goexpr.Expr, elem *model.Ref) {
	if l.literal || l.keys || len(l.steps) > 0 {
		p.refuse(e, "a list that is no field")
	}
	return l.code, l.elem
}
