package tag

import (
	"strings"
)

// Operand spells a boolean Go expression so that && can stand around it.
func Operand(x string) string {
	if strings.Contains(x, "||") && !isCall(x) {
		return "(" + x + ")"
	}
	return x
}

// All returns the conjunction of boolean Go expressions.
func All(list []string) string {
	if len(list) == 1 {
		return list[0]
	}
	operands := make([]string, len(list))
	for i, x := range list {
		operands[i] = Operand(x)
	}
	return strings.Join(operands, " && ")
}

// both returns the conjunction of two boolean Go expressions.
func both(x, y string) string { return All([]string{x, y}) }

// Not negates a boolean Go expression.
func Not(x string) string {
	if isCall(x) {
		return "!" + x
	}
	if strings.ContainsAny(x, "()|\n") {
		return "!(" + x + ")"
	}
	parts := strings.Split(x, " && ")
	for i, p := range parts {
		left, right, ok := strings.Cut(p, " != ")
		switch {
		case ok:
			parts[i] = left + " == " + right
		case strings.HasPrefix(p, "!"):
			parts[i] = p[1:]
		case strings.Contains(p, " "):
			return "!(" + x + ")"
		default:
			parts[i] = "!" + p
		}
	}
	return strings.Join(parts, " || ")
}

// isCall reports whether an expression is one call of a function.
func isCall(x string) bool {
	open := strings.IndexByte(x, '(')
	if open <= 0 || strings.ContainsAny(x[:open], " !") {
		return false
	}
	depth := 0
	for i := open; i < len(x); i++ {
		switch x[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(x)-1
			}
		}
	}
	return false
}
