package entail

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Normal returns a rule in normal form, which has the same result for all values, failures included. Rules that differ only in the
// names of variables, in the order of operands, or in how negations, comparisons with constants, and sizes are written have the same.
func Normal(rule expr.Expr) expr.Expr { return normal(renamed(rule, 0)) }

// renamed names the variables of loops by depth.
func renamed(e expr.Expr, depth int) expr.Expr {
	c, ok := e.(*expr.Comprehension)
	if !ok {
		return mapChildren(e, func(x expr.Expr) expr.Expr { return renamed(x, depth) })
	}
	out := *c
	out.Range, out.Var = renamed(c.Range, depth), "i"+strconv.Itoa(depth)
	if c.Var2 != "" {
		out.Var2 = "j" + strconv.Itoa(depth)
	}
	within := func(x expr.Expr) expr.Expr {
		// the second variable may have the new name of the first
		x = expr.Subst(x, c.Var, &expr.Var{Name: unnamed})
		if c.Var2 != "" {
			x = expr.Subst(x, c.Var2, &expr.Var{Name: out.Var2})
		}
		return renamed(expr.Subst(x, unnamed, &expr.Var{Name: out.Var}), depth+1)
	}
	if out.Body = within(c.Body); c.Filter != nil {
		out.Filter = within(c.Filter)
	}
	return &out
}

// unnamed is the name of a variable that no source has.
const unnamed = "#"

func mapChildren(e expr.Expr, f func(expr.Expr) expr.Expr) expr.Expr {
	children := expr.Children(e)
	if len(children) == 0 {
		return e
	}
	out := make([]expr.Expr, len(children))
	for i, c := range children {
		out[i] = f(c)
	}
	return expr.WithChildren(e, out)
}

func normal(e expr.Expr) expr.Expr {
	call, ok := e.(*expr.Call)
	if !ok {
		return mapChildren(e, normal)
	}
	if call.Func == expr.OpNot {
		if x := negated(call.Args[0]); x != nil {
			return normal(x)
		}
	}
	call = mapChildren(call, normal).(*expr.Call)
	switch call.Func {
	case expr.OpAnd:
		return combined(expr.And, call.Args)
	case expr.OpOr:
		return alternatives(call.Args)
	case expr.OpIn:
		return member(call.Args[0], call.Args[1])
	case "size":
		if call.Target == nil && len(call.Args) == 1 {
			return expr.Size(call.Args[0])
		}
	}
	if turned, ok := mirrored[call.Func]; ok && len(call.Args) == 2 && isScalar(call.Args[0]) && !isScalar(call.Args[1]) {
		return &expr.Call{Func: turned, Args: []expr.Expr{call.Args[1], call.Args[0]}}
	}
	return call
}

// mirrored are the operators for operands in the other order. How lists compare depends on the operand on the left, so only
// constants change sides.
var mirrored = map[string]string{
	expr.OpEq: expr.OpEq, expr.OpNe: expr.OpNe, expr.OpLt: expr.OpGt, expr.OpLe: expr.OpGe, expr.OpGt: expr.OpLt, expr.OpGe: expr.OpLe,
}

// opposites are the operators that are true where others are false.
var opposites = map[string]string{
	expr.OpEq: expr.OpNe, expr.OpNe: expr.OpEq, expr.OpLt: expr.OpGe, expr.OpLe: expr.OpGt, expr.OpGt: expr.OpLe, expr.OpGe: expr.OpLt,
}

// negated returns a condition without its negation; nil if it stays negated.
func negated(e expr.Expr) expr.Expr {
	switch e := e.(type) {
	case *expr.Literal:
		if b, ok := e.Value.(bool); ok {
			return expr.Bool(!b)
		}
	case *expr.Comprehension:
		// all is true if all are true, and false if one is false, whatever fails; exists likewise
		other := map[expr.Macro]expr.Macro{expr.AllMacro: expr.ExistsMacro, expr.ExistsMacro: expr.AllMacro}[e.Macro]
		if other == "" {
			return nil
		}
		out := *e
		out.Macro, out.Body = other, not(e.Body)
		return &out
	case *expr.Call:
		switch opposite := opposites[e.Func]; {
		case e.Func == expr.OpNot:
			return e.Args[0]
		case e.Func == expr.OpAnd || e.Func == expr.OpOr:
			parts := make([]expr.Expr, len(e.Args))
			for i, x := range e.Args {
				parts[i] = not(x)
			}
			if e.Func == expr.OpAnd {
				return expr.Or(parts...)
			}
			return expr.And(parts...)
		case e.Func == expr.OpIn:
			if list, ok := e.Args[1].(*expr.List); ok && isList(list) {
				var parts []expr.Expr
				for _, item := range list.Items {
					parts = append(parts, expr.Ne(e.Args[0], item.Value))
				}
				return expr.And(parts...)
			}
		case e.Func == expr.OpEq || e.Func == expr.OpNe, opposite != "" && isOrdered(e.Args[0]) && isOrdered(e.Args[1]):
			return &expr.Call{Func: opposite, Args: e.Args}
		}
	}
	return nil
}

func not(e expr.Expr) expr.Expr { return &expr.Call{Func: expr.OpNot, Args: []expr.Expr{e}} }

// isOrdered reports whether a value cannot be NaN, which is neither less nor not less. JSON has none, but divisions have.
func isOrdered(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.Literal:
		return true
	case *expr.Var:
		return e.Name == expr.SelfName || e.Name == expr.OldSelfName
	case *expr.Select:
		return isOrdered(e.Operand)
	case *expr.Call:
		return e.Func == "size"
	}
	return false
}

func isScalar(e expr.Expr) bool {
	_, ok := expr.Constant(e)
	return ok
}

func isList(l *expr.List) bool {
	_, ok := scalars(l)
	return ok
}

// combined joins conditions whose order does not matter, each once.
func combined(join func(...expr.Expr) expr.Expr, parts []expr.Expr) expr.Expr {
	joined := join(parts...)
	call, ok := joined.(*expr.Call)
	if !ok || call.Func != expr.OpAnd && call.Func != expr.OpOr {
		return joined
	}
	parts = slices.Clone(call.Args)
	slices.SortStableFunc(parts, func(x, y expr.Expr) int { return strings.Compare(expr.CEL(x), expr.CEL(y)) })
	return join(slices.CompactFunc(parts, expr.Equal)...)
}

// alternatives joins alternatives. Those that compare a value with constants become one.
func alternatives(parts []expr.Expr) expr.Expr {
	joined, ok := expr.Or(parts...).(*expr.Call)
	if !ok || joined.Func != expr.OpOr {
		return expr.Or(parts...)
	}
	var out []expr.Expr
	for _, x := range joined.Args {
		r, ok := relationOf(x)
		at := slices.IndexFunc(out, func(y expr.Expr) bool {
			other, isRelation := relationOf(y)
			return ok && isRelation && r.operator == expr.OpIn && other.operator == expr.OpIn && expr.Equal(r.value, other.value) && areAlike(append(other.to, r.to...))
		})
		if at < 0 {
			out = append(out, x)
			continue
		}
		other, _ := relationOf(out[at])
		out[at] = among(r.value, append(other.to, r.to...))
	}
	return combined(expr.Or, out)
}

// areAlike reports whether constants have one type, as the items of a list must.
func areAlike(values []any) bool {
	return !slices.ContainsFunc(values, func(v any) bool { return reflect.TypeOf(v) != reflect.TypeOf(values[0]) })
}

// member is x in list, with the constants of the list in order.
func member(x, list expr.Expr) expr.Expr {
	if values, ok := scalars(list); ok {
		return among(x, values)
	}
	return expr.In(x, list)
}

// among is true if a value is one of some constants.
func among(x expr.Expr, values []any) expr.Expr {
	var items []expr.Expr
	for _, v := range values {
		items = append(items, &expr.Literal{Value: v})
	}
	slices.SortFunc(items, func(a, b expr.Expr) int { return strings.Compare(expr.CEL(a), expr.CEL(b)) })
	items = slices.CompactFunc(items, expr.Equal)
	if len(items) == 1 {
		return expr.Eq(x, items[0])
	}
	return expr.In(x, expr.ListOf(items...))
}
