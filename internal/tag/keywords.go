package tag

import (
	"math/big"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Raise sets a lower bound of a schema, unless a stricter one is there.
func Raise(keyword **int64, c *model.Constraint) {
	if v, ok := IntPayload(c); ok && v.IsInt64() && (*keyword == nil || **keyword < v.Int64()) {
		n := v.Int64()
		*keyword = &n
	}
}

// Lower sets an upper bound of a schema, unless a stricter one is there.
func Lower(keyword **int64, c *model.Constraint) {
	if v, ok := IntPayload(c); ok && v.IsInt64() && (*keyword == nil || **keyword > v.Int64()) {
		n := v.Int64()
		*keyword = &n
	}
}

// exactFloat is the largest integer up to which an API server trusts the
// float64 that schemas keep numbers in.
const exactFloat = 1<<53 - 1

// Bound sets a bound on a number: by the keyword where the server takes it for
// an integer, else by a rule.
func Bound(s *Schema, keyword **float64, c *model.Constraint, operator string) {
	v, ok := IntPayload(c)
	switch {
	case !ok:
	case !v.IsInt64():
		// The server's integers have 64 bits and a sign.
		if operator == ">=" {
			s.Unprojectable("an API server has no integers as large as " + v.String())
		}
	case v.CmpAbs(big.NewInt(exactFloat)) > 0:
		message := map[string]string{">=": "must be greater than or equal to ", "<=": "must be less than or equal to "}[operator]
		s.Rule(CELRule("self "+operator+" "+v.String(), message+v.String(), ReasonInvalid, ""))
	default:
		f := float64(v.Int64())
		if *keyword == nil || operator == ">=" && **keyword < f || operator == "<=" && **keyword > f {
			*keyword = &f
		}
	}
}
