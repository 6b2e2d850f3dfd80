package tag

import (
	"math/big"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

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

// comparison is how a bound on a number compares.
type comparison struct {
	lower, exclusive bool
	operator, words  string
}

// comparisons are the bounds by the names of their tags.
var comparisons = map[string]comparison{
	"k8s:minimum":          {true, false, ">=", "greater than or equal to"},
	"k8s:maximum":          {false, false, "<=", "less than or equal to"},
	"k8s:exclusiveMinimum": {true, true, ">", "greater than"},
	"k8s:exclusiveMaximum": {false, true, "<", "less than"},
}

// Bound sets the bound on a number that a tag says: by the keyword where the
// server takes it for an integer, else by a rule.
func Bound(s *Schema, c *model.Constraint) {
	v, ok := IntPayload(c)
	how := comparisons[c.Name]
	switch {
	case !ok:
	case !v.IsInt64():
		// The server's integers have 64 bits and a sign.
		if how.lower {
			s.Unprojectable("an API server has no integers as large as " + v.String())
		}
	case v.CmpAbs(big.NewInt(exactFloat)) > 0:
		s.Rule(CELRule("self "+how.operator+" "+v.String(), "must be "+how.words+" "+v.String(), ReasonInvalid, ""))
	default:
		how.set(s.Props, float64(v.Int64()))
	}
}

// set writes the keywords, unless stricter ones are there.
func (how comparison) set(props *apiextensionsv1.JSONSchemaProps, f float64) {
	keyword, exclusive := &props.Maximum, &props.ExclusiveMaximum
	if how.lower {
		keyword, exclusive = &props.Minimum, &props.ExclusiveMinimum
	}
	switch old := *keyword; {
	case old == nil || how.lower && *old < f || !how.lower && *old > f:
		*keyword, *exclusive = &f, how.exclusive
	case *old == f:
		*exclusive = *exclusive || how.exclusive
	}
}

// Also adds a keyword that a schema can have only once: beside an equal one it
// says nothing new, beside another one it goes to allOf.
func Also[T comparable](props *apiextensionsv1.JSONSchemaProps, keyword func(*apiextensionsv1.JSONSchemaProps) *T, value T) {
	var none T
	switch now := keyword(props); *now {
	case none:
		*now = value
	case value:
	default:
		also := apiextensionsv1.JSONSchemaProps{}
		*keyword(&also) = value
		props.AllOf = append(props.AllOf, also)
	}
}

// MultipleOf sets the factor that numbers are multiples of: by the keyword
// where the server takes it for an integer, else by a rule.
func MultipleOf(s *Schema, c *model.Constraint) {
	v, ok := IntPayload(c)
	switch {
	case !ok:
	case !v.IsInt64():
		// Of the server's integers only zero is a multiple.
		s.Unprojectable("an API server has no integers as large as " + v.String())
	case v.CmpAbs(big.NewInt(exactFloat)) > 0:
		s.Rule(CELRule("self % "+v.String()+" == 0", "must be a multiple of "+v.String(), ReasonInvalid, ""))
	default:
		s.Props.MultipleOf = common(s.Props, v)
	}
}

// common returns the factor that says as much as a schema's and another one do.
func common(props *apiextensionsv1.JSONSchemaProps, v *big.Int) *float64 {
	f := float64(v.Int64())
	if props.MultipleOf == nil {
		return &f
	}
	if old := big.NewInt(int64(*props.MultipleOf)); old.Sign() > 0 && float64(old.Int64()) == *props.MultipleOf {
		multiple := new(big.Int).Mul(v, old)
		multiple.Div(multiple, new(big.Int).GCD(nil, nil, v, old))
		if multiple.CmpAbs(big.NewInt(exactFloat)) <= 0 {
			f = float64(multiple.Int64())
			return &f
		}
	}
	props.AllOf = append(props.AllOf, apiextensionsv1.JSONSchemaProps{MultipleOf: &f})
	return props.MultipleOf
}
