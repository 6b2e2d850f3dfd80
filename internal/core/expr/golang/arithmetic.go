package golang

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
)

// arithmetic prints x + y and the like. Integers that may leave 64 bits fail, and
// so do divisions by zero.
func (p *printer) arithmetic(e *expr.Call, left, right value, op string) value {
	left, right = p.joined(left, right), p.joined(right, left)
	p.limit(e, left, right)
	var out value
	for _, a := range left {
		for _, b := range right {
			if r, ok := p.operate(e, a, b, op); ok {
				r.when = goexpr.And(a.when, b.when, r.when)
				out = append(out, r)
			}
		}
	}
	return out
}

func (p *printer) operate(e *expr.Call, a, b alternative, op string) (alternative, bool) {
	if a.text != "" || b.text != "" {
		p.refuse(e, "%s on the text of a %s", op, a.text+b.text)
	}
	kinds := a.kind
	if e.Func == expr.OpNeg && b.kind == expr.DoubleKind {
		return alternative{when: goexpr.True, kind: expr.DoubleKind, code: goexpr.Minus(p.plain(b))}, true
	}
	if a.kind != b.kind {
		return p.operateMixed(e, a, b, op)
	}
	x, y := p.plain(a), p.plain(b)
	binary := func(code, when goexpr.Expr) (alternative, bool) {
		return alternative{when: when, kind: kinds, code: code, bits: 63}, true
	}
	switch kinds {
	case expr.StringKind:
		if op == "+" {
			return binary(goexpr.Binary(op, x, y), goexpr.True)
		}
	case expr.DoubleKind:
		if a.constant != nil && b.constant != nil {
			x = convert("float64", x) // constants are exact in Go
		}
		if op == "+" || op == "-" || op == "*" || op == "/" && b.constant == nil {
			return binary(goexpr.Binary(op, x, y), goexpr.True)
		}
	case expr.IntKind:
		return p.integers(e, a, b, x, y, op), true
	case expr.DurationKind:
		if name := sums[op]; name != "" {
			return binary(p.call1(name+"Duration", x, y), p.call1(name+"Fits", convert("int64", x), convert("int64", y)))
		}
	}
	if kinds == expr.TimestampKind && op == "-" {
		r := p.later(a, b, "Between")
		r.kind = expr.DurationKind
		return r, true
	}
	p.refuse(e, "%s on values of type %s", op, kinds)
	return alternative{}, false
}

// operateMixed prints an operation on values of different types: only times and durations have some.
func (p *printer) operateMixed(e *expr.Call, a, b alternative, op string) (alternative, bool) {
	switch {
	case a.kind == expr.TimestampKind && b.kind == expr.DurationKind && (op == "+" || op == "-"):
		return p.later(a, b, sums[op]+"Time"), true
	case a.kind == expr.DurationKind && b.kind == expr.TimestampKind && op == "+":
		return p.later(b, a, "AddTime"), true
	case numeric(a.kind) && numeric(b.kind), a.kind == expr.UnknownKind, b.kind == expr.UnknownKind:
		p.refuse(e, "%s on values of different types", op)
	}
	return alternative{}, false
}

// later prints a function on times whose result may be out of CEL's range.
func (p *printer) later(a, b alternative, function string) alternative {
	x, y := p.plain(a), p.plain(b)
	return alternative{when: p.call1(function+"Fits", x, y), kind: expr.TimestampKind, code: p.call1(function, x, y)}
}

// chosen prints c ? x : y as one integer where neither x nor y can fail:
// (a ? 1 : 0) + (b ? 1 : 0) + … would have too many alternatives.
func (p *printer) chosen(c tri, x, y value) (value, bool) {
	if len(x) != 1 || len(y) != 1 {
		return nil, false
	}
	a, b := x[0], y[0]
	for _, v := range []alternative{a, b} {
		if v.kind != expr.IntKind || v.when != goexpr.Expr(goexpr.True) {
			return nil, false
		}
	}
	code := p.call1("If", goexpr.Simplify(c.yes), p.plain(a), p.plain(b))
	return value{{when: c.ok(), kind: expr.IntKind, code: code, bits: max(a.bits, b.bits)}}, true
}

// joined returns a value with several numbers, or several strings, as one that a function chooses, unless the other operand
// always has one value: a sum of such terms has one condition for each term, instead of one for each combination of their
// alternatives.
func (p *printer) joined(v, other value) value {
	if len(v) < 2 || len(other) == 1 && other[0].when == goexpr.Expr(goexpr.True) {
		return v
	}
	last := v[len(v)-1]
	out := alternative{when: goexpr.Merge(v.ok()), kind: last.kind}
	for _, a := range v {
		if a.kind != last.kind || a.text != "" || a.kind == expr.BoolKind || plainTypes[a.kind] == "" {
			return v
		}
		out.bits = max(out.bits, a.bits)
	}
	lazy := func(code goexpr.Expr) goexpr.Expr {
		return goexpr.Literal{Signature: "func() " + plainTypes[last.kind], Result: code}
	}
	out.code = p.plain(last)
	for _, a := range slices.Backward(v[:len(v)-1]) {
		out.code = p.call1("Choose", goexpr.Simplify(a.when), lazy(p.plain(a)), lazy(out.code))
	}
	return value{out}
}

// sums are the prefixes of the runtime's functions.
var sums = map[string]string{"+": "Add", "-": "Sub"}

// integers prints an operation on integers. It omits checks if the Go types rule out overflow.
func (p *printer) integers(e *expr.Call, a, b alternative, x, y goexpr.Expr, op string) alternative {
	r := alternative{when: goexpr.True, kind: expr.IntKind, bits: 63, code: goexpr.Binary(op, x, y)}
	if m, ok := a.constant.(int64); ok {
		if n, ok := b.constant.(int64); ok {
			v, fits := fold(m, n, op)
			if !fits {
				r.when = goexpr.False
				return r
			}
			return constantOf(v)
		}
	}
	switch op {
	case "+", "-":
		if r.bits = max(a.bits, b.bits) + 1; r.bits > 63 {
			r.bits = 63
			r.when = p.call1(sums[op]+"Fits", x, y)
		}
	case "*":
		if r.bits = a.bits + b.bits; r.bits > 62 {
			r.bits = 63
			r.when = p.call1("MulFits", x, y)
		}
	case "/", "%":
		n, isConstant := b.constant.(int64)
		switch {
		case isConstant && n == 0:
			r.when = goexpr.False
		case !isConstant || n == -1:
			r.when = p.call1("DivFits", x, y)
		}
	default:
		p.refuse(e, "%s on integers", op)
	}
	return r
}

// fold computes constants like CEL.
func fold(a, b int64, op string) (int64, bool) {
	switch op {
	case "+":
		c := a + b
		return c, (c > a) == (b > 0)
	case "-":
		c := a - b
		return c, (c < a) == (b > 0)
	case "*":
		if a == 0 || b == 0 {
			return 0, true
		}
		if a == -1 && b == -1<<63 || b == -1 && a == -1<<63 {
			return 0, false
		}
		c := a * b
		return c, c/b == a
	case "/":
		if b == 0 || a == -1<<63 && b == -1 {
			return 0, false
		}
		return a / b, true
	case "%":
		if b == 0 || a == -1<<63 && b == -1 {
			return 0, false
		}
		return a % b, true
	}
	return 0, false
}
