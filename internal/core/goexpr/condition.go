package goexpr

import (
	"reflect"
	"strconv"
)

type compare struct {
	operator string
	x, y     Expr
	// partial is set where x and y may be neither less, equal nor greater.
	partial bool
}

// Eq is x == y.
func Eq(x, y Expr) Expr { return Compare(x, "==", y) }

// Ne is x != y.
func Ne(x, y Expr) Expr { return Compare(x, "!=", y) }

// Compare compares values that are ordered totally, so that not less is at least.
func Compare(x Expr, operator string, y Expr) Expr { return compare{operator, x, y, false} }

// CompareFloats compares floating point numbers.
func CompareFloats(x Expr, operator string, y Expr) Expr { return compare{operator, x, y, true} }

// Opposites are the negations of comparisons.
var Opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

func (c compare) write(b *writer, prec int) {
	group(b, prec >= precCompare, func() {
		c.x.write(b, precCompare)
		b.WriteString(" " + c.operator + " ")
		c.y.write(b, precCompare)
	})
}

type list struct {
	operator string
	prec     int
	operands []Expr
	lines    bool
}

// And is the conjunction of conditions; without conditions it is true.
func And(operands ...Expr) Expr { return join("&&", precAnd, True, false, operands) }

// AndLines is And with one operand on each line.
func AndLines(operands ...Expr) Expr { return join("&&", precAnd, True, true, operands) }

// Or is the disjunction of conditions; without conditions it is false.
func Or(operands ...Expr) Expr { return join("||", precOr, False, false, operands) }

// OrLines is Or with one operand on each line.
func OrLines(operands ...Expr) Expr { return join("||", precOr, False, true, operands) }

func join(operator string, prec int, neutral Raw, lines bool, operands []Expr) Expr {
	var kept []Expr
	for _, x := range operands {
		switch in, ok := x.(list); {
		case x == Not(neutral):
			return x
		case x == nil, x == Expr(neutral):
		case ok && in.prec == prec:
			kept = append(kept, in.operands...)
			lines = lines || in.lines
		default:
			kept = append(kept, x)
		}
	}
	switch len(kept) {
	case 0:
		return neutral
	case 1:
		return kept[0]
	}
	return list{operator, prec, kept, lines}
}

func (l list) write(b *writer, prec int) {
	group(b, prec > l.prec, func() {
		for i, x := range l.operands {
			if i > 0 {
				b.WriteString(" " + l.operator)
				b.WriteString(map[bool]string{true: "\n", false: " "}[l.lines])
			}
			x.write(b, l.prec)
		}
	})
}

type not struct{ x Expr }

// Not negates a condition. It replaces comparisons by their opposites, and
// negates the operands of conjunctions and disjunctions on one line.
func Not(x Expr) Expr {
	switch x := x.(type) {
	case not:
		return x.x
	case compare:
		if !x.partial || x.operator == "==" || x.operator == "!=" {
			x.operator = Opposites[x.operator]
			return x
		}
	case list:
		if x.lines {
			break
		}
		turned := make([]Expr, len(x.operands))
		for i, operand := range x.operands {
			turned[i] = Not(operand)
		}
		if x.prec == precAnd {
			return Or(turned...)
		}
		return And(turned...)
	case Raw:
		switch x {
		case True:
			return False
		case False:
			return True
		}
	}
	return not{x}
}

func (n not) write(b *writer, prec int) { unary(b, "!", n.x, prec) }

// Same reports whether two expressions are the same source.
func Same(x, y Expr) bool { return reflect.DeepEqual(x, y) }

// EndsIn reports whether a condition is a disjunction whose last operand is x.
func EndsIn(condition, x Expr) bool {
	l, ok := condition.(list)
	return ok && l.prec == precOr && Same(l.operands[len(l.operands)-1], x)
}

// conjuncts returns the operands of a conjunction, not ok for other conditions.
func conjuncts(x Expr) (operands []Expr, ok bool) {
	l, ok := x.(list)
	return l.operands, ok && l.prec == precAnd
}

// Merge joins the operands g && a and g && !a of a disjunction to g.
func Merge(condition Expr) Expr {
	l, ok := condition.(list)
	if !ok || l.prec != precOr {
		return condition
	}
	for i := range l.operands {
		for j := i + 1; j < len(l.operands); j++ {
			x, isAll := conjuncts(l.operands[i])
			y, isAll2 := conjuncts(l.operands[j])
			if !isAll || !isAll2 || len(x) != len(y) {
				continue
			}
			n := len(x) - 1
			if reflect.DeepEqual(x[:n], y[:n]) && Same(x[n], Not(y[n])) {
				rest := append([]Expr{And(x[:n]...)}, l.operands[:i]...)
				rest = append(append(rest, l.operands[i+1:j]...), l.operands[j+1:]...)
				return Merge(Or(rest...))
			}
		}
	}
	return condition
}

// Simplify removes guards that an earlier operand of && or || has passed.
func Simplify(condition Expr) Expr { return simplify(condition, facts{}) }

// facts are the known values of conditions, by their source.
type facts map[string]bool

func (f facts) assume(condition Expr, value bool) facts {
	l, ok := condition.(list)
	switch {
	case !ok:
		out := make(facts, len(f)+2)
		for k, v := range f {
			out[k] = v
		}
		out[Preview(condition)], out[Preview(Not(condition))] = value, !value
		return out
	case value == (l.prec == precAnd): // all operands have the value
		for _, x := range l.operands {
			f = f.assume(x, value)
		}
	}
	return f
}

func simplify(condition Expr, known facts) Expr {
	l, ok := condition.(list)
	if !ok {
		if v, ok := known[Preview(condition)]; ok {
			return Bool(v)
		}
		return condition
	}
	operands := make([]Expr, len(l.operands))
	for i, x := range l.operands {
		operands[i] = simplify(x, known)
		known = known.assume(operands[i], l.prec == precAnd)
	}
	if l.prec == precAnd {
		return withoutImplied(And(operands...))
	}
	return Or(operands...)
}

// withoutImplied removes the guards x != "" and x != 0 directly before an operand
// that compares x with another constant. Later operands may rely on the guard,
// which the comparison implies.
func withoutImplied(condition Expr) Expr {
	operands, ok := conjuncts(condition)
	if !ok {
		return condition
	}
	var out []Expr
	for i, x := range operands {
		guard, ok := x.(compare)
		if ok && guard.operator == "!=" && i+1 < len(operands) {
			if next, ok := operands[i+1].(compare); ok && !next.partial && Same(next.x, guard.x) && implies(next.operator, next.y, guard.y) {
				continue
			}
		}
		out = append(out, x)
	}
	return And(out...)
}

// implies reports whether x op y rules out that x is a zero.
func implies(op string, y, zero Expr) bool {
	text, isRaw := y.(Raw)
	if !isRaw {
		return false
	}
	if s, err := strconv.Unquote(string(text)); err == nil {
		return zero == Expr(Raw(`""`)) && op == "==" && s != ""
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || zero != Expr(Raw("0")) {
		return false
	}
	switch op {
	case "==":
		return f != 0
	case ">":
		return f >= 0
	case ">=":
		return f > 0
	case "<":
		return f <= 0
	case "<=":
		return f < 0
	}
	return false
}
