// Package entail compares rules by meaning: [Follows] reports whether a rule refuses nothing that other rules accept.
package entail

import (
	"cmp"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// Follows reports whether a rule is certainly true of all values of which all other rules are true. It knows what conjunctions,
// alternatives, negations, loops, comparisons with constants and lists of constants mean, and that spelling does not matter. If
// it is false, the rule may follow nevertheless.
func Follows(rule expr.Expr, from []expr.Expr) bool {
	p := prover{map[pair]bool{}}
	return p.follows(Normal(rule), Normal(expr.And(from...)))
}

type pair struct{ conclusion, premise expr.Expr }

// prover remembers what it has found, since the parts of two rules meet in many ways.
type prover struct{ known map[pair]bool }

// follows reports whether one condition in normal form follows from another.
func (p *prover) follows(conclusion, premise expr.Expr) bool {
	key := pair{conclusion, premise}
	if found, ok := p.known[key]; ok {
		return found
	}
	found := p.derive(conclusion, premise)
	p.known[key] = found
	return found
}

func (p *prover) derive(conclusion, premise expr.Expr) bool {
	if parts := operands(conclusion, expr.OpAnd); parts != nil {
		return !slices.ContainsFunc(parts, func(part expr.Expr) bool { return !p.follows(part, premise) })
	}
	if cases := operands(premise, expr.OpOr); cases != nil {
		return !slices.ContainsFunc(cases, func(c expr.Expr) bool { return !p.follows(conclusion, c) })
	}
	return isConstant(conclusion, true) || isConstant(premise, false) || expr.Equal(conclusion, premise) ||
		slices.ContainsFunc(operands(premise, expr.OpAnd), func(part expr.Expr) bool { return p.follows(conclusion, part) }) ||
		slices.ContainsFunc(operands(conclusion, expr.OpOr), func(part expr.Expr) bool { return p.follows(part, premise) }) ||
		p.loop(conclusion, premise) || constants(conclusion, premise)
}

func operands(e expr.Expr, operator string) []expr.Expr {
	if call, ok := e.(*expr.Call); ok && call.Func == operator {
		return call.Args
	}
	return nil
}

func isConstant(e expr.Expr, value bool) bool {
	v, ok := expr.Constant(e)
	return ok && v == value
}

// loop compares two conditions on all items, or on some item, of one range.
func (p *prover) loop(conclusion, premise expr.Expr) bool {
	c, ok := conclusion.(*expr.Comprehension)
	of, isLoop := premise.(*expr.Comprehension)
	if !ok || !isLoop || c.Macro != of.Macro || c.Macro != expr.AllMacro && c.Macro != expr.ExistsMacro {
		return false
	}
	return c.Var == of.Var && c.Var2 == of.Var2 && expr.Equal(c.Range, of.Range) && p.follows(c.Body, of.Body)
}

// constants compares two conditions that relate one value to constants.
func constants(conclusion, premise expr.Expr) bool {
	c, ok := relationOf(conclusion)
	of, isRelation := relationOf(premise)
	if !ok || !isRelation || !expr.Equal(c.value, of.value) {
		return false
	}
	switch of.operator {
	case expr.OpIn:
		return !slices.ContainsFunc(of.to, func(v any) bool { return !c.holds(v) })
	case expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe:
		return c.above() == of.above() && c.isBound() && c.admits(of)
	}
	return false
}

// relation is a condition that compares a value with constants.
type relation struct {
	value expr.Expr
	// operator is in, != or one that orders; in stands for == too.
	operator string
	to       []any
}

func relationOf(e expr.Expr) (relation, bool) {
	call, ok := e.(*expr.Call)
	if !ok || len(call.Args) != 2 || call.Target != nil {
		return relation{}, false
	}
	r := relation{value: call.Args[0], operator: call.Func}
	switch call.Func {
	case expr.OpIn:
		r.to, ok = scalars(call.Args[1])
	case expr.OpEq, expr.OpNe, expr.OpLt, expr.OpLe, expr.OpGt, expr.OpGe:
		var v any
		v, ok = expr.Constant(call.Args[1])
		r.to = []any{v}
		if call.Func == expr.OpEq {
			r.operator = expr.OpIn
		}
	default:
		return relation{}, false
	}
	return r, ok
}

func (r relation) isBound() bool {
	return r.above() || r.operator == expr.OpLt || r.operator == expr.OpLe
}

func (r relation) above() bool { return r.operator == expr.OpGt || r.operator == expr.OpGe }

// holds reports whether the relation is certainly true of a constant.
func (r relation) holds(v any) bool {
	switch r.operator {
	case expr.OpIn:
		return slices.Contains(r.to, v)
	case expr.OpNe:
		n, ok := compare(v, r.to[0])
		return ok && n != 0
	}
	n, ok := compare(v, r.to[0])
	switch r.operator {
	case expr.OpLt:
		return ok && n < 0
	case expr.OpLe:
		return ok && n <= 0
	case expr.OpGt:
		return ok && n > 0
	}
	return ok && n >= 0
}

// admits reports whether a bound allows all that another in the same direction allows.
func (r relation) admits(of relation) bool {
	n, ok := compare(of.to[0], r.to[0])
	if r.above() {
		n = -n
	}
	isStrict := r.operator == expr.OpLt || r.operator == expr.OpGt
	ofStrict := of.operator == expr.OpLt || of.operator == expr.OpGt
	return ok && (n < 0 || n == 0 && (!isStrict || ofStrict))
}

// compare compares constants of one type.
func compare(x, y any) (n int, ok bool) {
	switch x := x.(type) {
	case int64:
		y, ok := y.(int64)
		return cmp.Compare(x, y), ok
	case uint64:
		y, ok := y.(uint64)
		return cmp.Compare(x, y), ok
	case float64:
		y, ok := y.(float64)
		return cmp.Compare(x, y), ok
	case string:
		y, ok := y.(string)
		return cmp.Compare(x, y), ok
	case bool:
		y, ok := y.(bool)
		if x != y {
			return 1, ok
		}
		return 0, ok
	}
	return 0, false
}

// scalars returns the values of a list of constants.
func scalars(e expr.Expr) (values []any, ok bool) {
	list, isList := e.(*expr.List)
	if !isList || len(list.Items) == 0 {
		return nil, false
	}
	for _, item := range list.Items {
		v, isConstant := expr.Constant(item.Value)
		if _, isBytes := v.([]byte); !isConstant || isBytes || item.Optional {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}
