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

// Bound sets a bound on a number: by the keyword where a float64 holds it
// exactly, else by a rule, since schemas keep numbers as float64.
func Bound(s *Schema, keyword **float64, c *model.Constraint, operator string) {
	v, ok := IntPayload(c)
	if !ok {
		return
	}
	f, accuracy := new(big.Float).SetInt(v).Float64()
	if accuracy != big.Exact {
		message := map[string]string{">=": "must be greater than or equal to ", "<=": "must be less than or equal to "}[operator]
		s.Rule(CELRule("self "+operator+" "+v.String(), message+v.String(), ReasonInvalid, ""))
		return
	}
	if *keyword == nil || operator == ">=" && **keyword < f || operator == "<=" && **keyword > f {
		*keyword = &f
	}
}
