package rule

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Reason is the reason why a predicate is not an expression, for authors.
type Reason string

// NeedsGo is the reason of rules that are functions.
const NeedsGo Reason = "only Go can run the function, so it needs a webhook"

// Holds returns the expression that is true if a value satisfies a predicate, and the message
// otherwise. The expression is nil with a reason if CEL cannot express the predicate, and nil
// without one if the predicate is always true. The value must be set.
func (s *Programs) Holds(must Predicate, x expr.Expr) (holds expr.Expr, message string, reason Reason) {
	switch must := must.(type) {
	case *Limit:
		return limit(must, x)
	case *NotEqual:
		if value, ok := CELConstant(must.Value); ok {
			return expr.Ne(x, value), "must not be equal to " + must.Value.Text, ""
		}
		return nil, "", "" // CEL has no integers as large
	case *Pattern:
		return expr.Matches(x, must.Regexp), "must match " + must.Regexp, ""
	case *Format:
		return formatHolds(Formats[must.Name], x), "", ""
	case *Enum:
		if len(must.Values) == 0 {
			return expr.Bool(false), "no value of " + must.Type.Name + " is valid: the type has no constants", ""
		}
		return expr.In(x, expr.ListOf(enumValues(must)...)), "", ""
	case *Unique:
		return s.UniqueItems(must, x, nil), "items must be unique", ""
	case *ListType:
		return s.UniqueItems(&Unique{By: must.Type, Keys: must.Keys, Unchecked: must.Unchecked}, x, nil), "items must be unique", ""
	case *Fixed:
		if must.Passes {
			return nil, "", ""
		}
		return expr.Bool(false), "forced failure: " + must.Text, ""
	case *Call:
		return nil, "", NeedsGo
	}
	return nil, "", ""
}

func enumValues(e *Enum) []expr.Expr {
	var values []expr.Expr
	for _, v := range e.Values {
		values = append(values, expr.Str(v.Value))
	}
	return values
}

// Comparison is the comparison of a bound on numbers.
type Comparison struct {
	// Lower and Exclusive select the bound.
	Lower, Exclusive bool
	Words            string
	compare          func(x, y expr.Expr) expr.Expr
}

// Comparisons are the bounds on numbers.
var Comparisons = map[Keyword]Comparison{
	Minimum:          {true, false, "greater than or equal to", expr.Ge},
	Maximum:          {false, false, "less than or equal to", expr.Le},
	ExclusiveMinimum: {true, true, "greater than", expr.Gt},
	ExclusiveMaximum: {false, true, "less than", expr.Lt},
}

func limit(l *Limit, x expr.Expr) (holds expr.Expr, message string, reason Reason) {
	if l.Of != Number {
		return measured(l, x)
	}
	value := IntOf(l.Value)
	if !value.IsInt64() {
		// The server's integers have 64 bits and a sign.
		if l.Keyword == Minimum || l.Keyword == ExclusiveMinimum || l.Keyword == MultipleOf {
			return nil, "", Reason("API servers do not support integers as large as " + l.Value)
		}
		return nil, "", ""
	}
	n := expr.Int(value.Int64())
	size := expr.Function("size", x)
	switch l.Keyword {
	case MinLength, MinItems, MinProperties:
		return expr.Ge(size, n), "must have at least " + l.Value + " " + sized[l.Keyword], ""
	case MaxLength, MaxItems, MaxProperties:
		return expr.Le(size, n), "must have at most " + l.Value + " " + sized[l.Keyword], ""
	case MaxBytes:
		return expr.Le(expr.Function("size", expr.Function("bytes", x)), n), "may not be more than " + l.Value + " bytes", ""
	case MultipleOf:
		return expr.Eq(expr.Mod(x, n), expr.Int(0)), "must be a multiple of " + l.Value, ""
	}
	c := Comparisons[l.Keyword]
	return c.compare(x, n), "must be " + c.Words + " " + l.Value, ""
}

// measured compares durations and quantities. Quantities are strings or integers in JSON. CEL
// compares integers only with integers: the bound rounded up or down.
func measured(l *Limit, x expr.Expr) (holds expr.Expr, message string, reason Reason) {
	c := Comparisons[l.Keyword]
	message = "must be " + c.Words + " " + l.Value
	if l.Of == Duration {
		return l.HoldsOfText(x), message, ""
	}
	amount, _, _ := Quantity.Read(l.Value)
	whole, rest := new(big.Int).DivMod(amount, billion, new(big.Int)) // rounded down
	onInteger := c.compare
	if rest.Sign() != 0 {
		onInteger = expr.Le
		if c.Lower {
			onInteger = expr.Gt
		}
	}
	isInteger := expr.Eq(expr.Function("type", x), &expr.Var{Name: "int"})
	return expr.If(isInteger, onInteger(x, expr.Int(whole.Int64())), l.HoldsOfText(x)), message, ""
}

// HoldsOfText is like Holds for a duration or quantity that is a string.
func (l *Limit) HoldsOfText(x expr.Expr) expr.Expr {
	compare := Comparisons[l.Keyword].compare
	if l.Of == Duration {
		return compare(expr.Duration(x), expr.Duration(expr.Str(l.Value)))
	}
	return compare(expr.Method(expr.Quantity(x), "compareTo", expr.Quantity(expr.Str(l.Value))), expr.Int(0))
}

// sized are the counted elements of the limits on sizes.
var sized = map[Keyword]string{
	MinLength: "characters", MaxLength: "characters", MinItems: "items", MaxItems: "items", MinProperties: "entries", MaxProperties: "entries",
}

// IntOf returns a limit as a number.
func IntOf(digits string) *big.Int {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		return new(big.Int)
	}
	return n
}

// celFormats are the API servers' formats in CEL's library, with their names there.
var celFormats = map[string]string{"uuid": "uuid", "k8s-short-name": "dns1123Label", "k8s-long-name": "dns1123Subdomain"}

func formatHolds(f FormatSpec, x expr.Expr) expr.Expr {
	var all []expr.Expr
	if name := celFormats[f.OpenAPI]; name != "" {
		all = append(all, expr.IsFormat(x, name))
	}
	if f.MaxLength > 0 {
		all = append(all, expr.Le(expr.Function("size", x), expr.Int(f.MaxLength)))
	}
	if f.Pattern != "" {
		all = append(all, expr.Matches(x, f.Pattern))
	}
	for _, r := range f.Rules {
		all = append(all, r.Holds(x))
	}
	return expr.And(all...)
}

// UniqueItems compares all pairs of items of a list; nil if they need not be unique. Required are
// the keys that every item has.
func (s *Programs) UniqueItems(u *Unique, list expr.Expr, required []string) expr.Expr {
	if !Checks(u) || u.By == Atomic {
		return nil
	}
	return expr.All(list, func(x expr.Expr) expr.Expr {
		return expr.ExistsOne(list, func(y expr.Expr) expr.Expr {
			if u.By == Set {
				return expr.Eq(x, y)
			}
			return s.sameKeys(u.Keys, x, y, required)
		})
	})
}

// sameKeys is true if two items have the same keys, compared like in generated Go: an unset key of
// a pointer type equals only unset keys, and one of another type equals its zero value.
func (s *Programs) sameKeys(keys []FieldPath, x, y expr.Expr, required []string) expr.Expr {
	var same []expr.Expr
	for _, k := range keys {
		both := expr.Eq(expr.Get(x, k.JSON), expr.Get(y, k.JSON))
		_, pointer := s.Model.Deref(k.Type)
		switch {
		case slices.Contains(required, k.JSON):
		case pointer:
			both = expr.And(expr.Eq(expr.Has(x, k.JSON), expr.Has(y, k.JSON)), expr.Or(expr.Not(expr.Has(x, k.JSON)), both))
		default:
			both = expr.Eq(s.OrZero(x, k), s.OrZero(y, k))
		}
		same = append(same, both)
	}
	return expr.And(same...)
}

// IsSet is true if a field of x is set like in generated Go: non-nil, non-empty or non-zero.
func (s *Programs) IsSet(x expr.Expr, f FieldPath) expr.Expr {
	has, value := expr.Has(x, f.JSON), expr.Get(x, f.JSON)
	u := s.Model.Underlying(f.Type)
	switch {
	case f.Unset == model.LackNever, f.Unset == model.LackNil:
		return has
	case f.Unset == model.LackEmpty, u.IsString():
		return expr.And(has, expr.Gt(expr.Function("size", value), expr.Int(0)))
	}
	if set := s.NotZero(f.Type, value); set != nil {
		return expr.And(has, set)
	}
	return has
}

// NotZero is true if a number, bool, duration or quantity x is not zero; nil for a value of another type.
func (s *Programs) NotZero(t *model.Ref, x expr.Expr) expr.Expr {
	u := s.Model.Underlying(t)
	switch {
	case u.IsBool():
		return x
	case u.IsScalar() && !u.IsString():
		return expr.Ne(x, s.Zero(t))
	case t.ID() == model.Duration:
		return expr.Ne(expr.Duration(x), expr.Duration(expr.Str("0s")))
	case t.ID() == model.Quantity:
		isInteger := expr.Eq(expr.Function("type", x), &expr.Var{Name: "int"})
		text := expr.Method(expr.Quantity(x), "compareTo", expr.Quantity(expr.Str("0")))
		return expr.If(isInteger, expr.Ne(x, expr.Int(0)), expr.Ne(text, expr.Int(0)))
	}
	return nil
}

// Zero returns the zero value of a type; nil if CEL has no constant for it.
func (s *Programs) Zero(t *model.Ref) expr.Expr {
	switch u := s.Model.Underlying(t); {
	case u.IsString():
		return expr.Str("")
	case u.IsInteger():
		return expr.Int(0)
	case u.IsFloat():
		return expr.Double(0)
	case u.IsBool():
		return expr.Bool(false)
	}
	return nil
}

// OrZero returns the value of a field of x, or its zero value if it is absent.
func (s *Programs) OrZero(x expr.Expr, f FieldPath) expr.Expr {
	return expr.If(expr.Has(x, f.JSON), expr.Get(x, f.JSON), s.Zero(f.Type))
}

// CELConstant returns a constant in CEL, not ok for integers that CEL does not have.
func CELConstant(c Constant) (x expr.Expr, ok bool) {
	switch c.Kind {
	case model.IntValue:
		n := IntOf(c.Text)
		if !n.IsInt64() {
			return nil, false
		}
		return expr.Int(n.Int64()), true
	case model.BoolValue:
		b, err := strconv.ParseBool(c.Text)
		return expr.Bool(b), err == nil
	}
	return expr.Str(c.Text), true
}

// HasKeys is true if a list item has certain keys.
func (s *Programs) HasKeys(item expr.Expr, keys []KeyValue) (holds expr.Expr, reason Reason) {
	var all []expr.Expr
	for _, k := range keys {
		value, ok := CELConstant(k.Value)
		if !ok {
			return nil, Reason("key " + k.Key.JSON + " is more than an integer of CEL can be")
		}
		is := expr.Eq(expr.Get(item, k.Key.JSON), value)
		if _, f := k.Key.Fields(s.Model); s.Model.Absent(f) != model.LackNever {
			is = expr.And(expr.Has(item, k.Key.JSON), is)
		}
		all = append(all, is)
	}
	return expr.And(all...), ""
}

// exactFloat is the largest integer for which API servers accept the float64 of schemas.
const exactFloat = 1<<53 - 1

// AsFloat returns a limit as in schemas, not ok if that is not exact.
func AsFloat(digits string) (f float64, ok bool) {
	n := IntOf(digits)
	if n.CmpAbs(big.NewInt(exactFloat)) > 0 || !n.IsInt64() {
		return math.NaN(), false
	}
	return float64(n.Int64()), true
}

// Names returns the names of a union's members, for messages.
func (u *Union) Names(members []Member) string {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = "`" + m.Name + "`"
	}
	return strings.Join(names, ", ")
}

// Wanted returns the message about the number of set members of a union without a discriminator.
func (u *Union) Wanted(members []Member) string {
	if u.ZeroOrOne {
		return fmt.Sprintf("must specify at most one of: %s", u.Names(members))
	}
	return fmt.Sprintf("must specify exactly one of: %s", u.Names(members))
}
