package golang

import (
	"strconv"
	"strings"
)

// cond is a condition in Go that cannot fail: a constant, an atom, or conditions
// joined by && and ||. There is no negation: atoms know their opposite.
type cond interface{ isCond() }

type constant bool

// atom is a condition as it is printed, and its opposite. A comparison also has
// its parts.
type atom struct{ text, opposite, x, op, y string }

type allOf []cond

type anyOf []cond

func (constant) isCond() {}
func (atom) isCond()     {}
func (allOf) isCond()    {}
func (anyOf) isCond()    {}

var opposites = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// compared is x op y. It is not for floating point numbers, which may be neither
// less nor greater.
func compared(x, op, y string) cond {
	opposite := opposites[op]
	return atom{x + " " + op + " " + y, x + " " + opposite + " " + y, x, op, y}
}

// holds is an expression that binds at least as tight as a call.
func holds(text string) cond { return atom{text: text, opposite: "!" + text} }

// not returns the opposite of a condition.
func not(c cond) cond {
	switch c := c.(type) {
	case constant:
		return !c
	case atom:
		return atom{c.opposite, c.text, c.x, opposites[c.op], c.y}
	case allOf:
		out := make(anyOf, len(c))
		for i, x := range c {
			out[i] = not(x)
		}
		return out
	case anyOf:
		out := make(allOf, len(c))
		for i, x := range c {
			out[i] = not(x)
		}
		return out
	}
	return c
}

// and joins conditions in their order: each may rely on those before it.
func and(list ...cond) cond {
	var out allOf
	for _, c := range list {
		switch c := c.(type) {
		case nil:
		case constant:
			if !c {
				return constant(false)
			}
		case allOf:
			out = append(out, c...)
		default:
			out = append(out, c)
		}
	}
	switch len(out) {
	case 0:
		return constant(true)
	case 1:
		return out[0]
	}
	return out
}

func or(list ...cond) cond {
	var out anyOf
	for _, c := range list {
		switch c := c.(type) {
		case nil:
		case constant:
			if c {
				return constant(true)
			}
		case anyOf:
			out = append(out, c...)
		default:
			out = append(out, c)
		}
	}
	switch len(out) {
	case 0:
		return constant(false)
	case 1:
		return out[0]
	}
	return out
}

// merged joins the operands g && a and g && !a of || to g.
func merged(c cond) cond {
	list, ok := c.(anyOf)
	if !ok {
		return c
	}
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			x, isAll := list[i].(allOf)
			y, isAll2 := list[j].(allOf)
			if !isAll || !isAll2 || len(x) != len(y) {
				continue
			}
			n := len(x) - 1
			if same(x[:n], y[:n]) && same(x[n], not(y[n])) {
				rest := append(anyOf{and(x[:n]...)}, list[:i]...)
				rest = append(append(rest, list[i+1:j]...), list[j+1:]...)
				return merged(or(rest...))
			}
		}
	}
	return c
}

// facts are what is known of atoms where a condition is evaluated.
type facts map[string]bool

func (f facts) assume(c cond, value bool) facts {
	switch c := c.(type) {
	case atom:
		out := f.clone()
		out[c.text], out[c.opposite] = value, !value
		return out
	case allOf:
		if value {
			for _, x := range c {
				f = f.assume(x, true)
			}
		}
	case anyOf:
		if !value {
			for _, x := range c {
				f = f.assume(x, false)
			}
		}
	}
	return f
}

func (f facts) clone() facts {
	out := make(facts, len(f)+2)
	for k, v := range f {
		out[k] = v
	}
	return out
}

// simplify drops what is known already when Go comes to evaluate it: guards that
// an earlier operand of && or || has passed.
func simplify(c cond, known facts) cond {
	switch c := c.(type) {
	case atom:
		if v, ok := known[c.text]; ok {
			return constant(v)
		}
	case allOf:
		var out []cond
		for _, x := range c {
			s := simplify(x, known)
			out = append(out, s)
			known = known.assume(s, true)
		}
		return withoutImplied(and(out...))
	case anyOf:
		var out []cond
		for _, x := range c {
			s := simplify(x, known)
			out = append(out, s)
			known = known.assume(s, false)
		}
		return or(out...)
	}
	return c
}

// withoutImplied leaves out the guards x != "" and x != 0 in front of an operand
// that compares x with another constant. Operands behind that may rely on the
// guard; those between the two would lose it, so there must be none.
func withoutImplied(c cond) cond {
	list, ok := c.(allOf)
	if !ok {
		return c
	}
	var out []cond
	for i, x := range list {
		guard, ok := x.(atom)
		if ok && guard.op == "!=" && i+1 < len(list) {
			if next, ok := list[i+1].(atom); ok && next.x == guard.x && implies(next.op, next.y, guard.y) {
				continue
			}
		}
		out = append(out, x)
	}
	return and(out...)
}

// implies reports whether x op y rules out that x is a zero.
func implies(op, y, zero string) bool {
	if s, err := strconv.Unquote(y); err == nil {
		return zero == `""` && op == "==" && s != ""
	}
	f, err := strconv.ParseFloat(y, 64)
	if err != nil || zero != "0" {
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

// text prints a condition; in says how tight what it is printed in binds.
func text(c cond, in int) string {
	switch c := c.(type) {
	case constant:
		if c {
			return "true"
		}
		return "false"
	case atom:
		return c.text
	case allOf:
		return joined(c, " && ", 2, in)
	case anyOf:
		return joined(c, " || ", 1, in)
	}
	return "false"
}

func joined(list []cond, op string, own, in int) string {
	parts := make([]string, len(list))
	for i, c := range list {
		parts[i] = text(c, own)
	}
	out := strings.Join(parts, op)
	if own < in {
		return "(" + out + ")"
	}
	return out
}
