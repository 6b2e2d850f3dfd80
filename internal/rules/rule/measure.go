package rule

import (
	"math/big"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kindsmith/kindsmith/internal/core/model"
)

// Measure is a kind of values that have an order.
type Measure string

// The measures.
const (
	Number   Measure = ""         // an integer
	Duration Measure = "duration" // a metav1.Duration, a string in JSON
	Quantity Measure = "quantity" // a resource.Quantity, a string or an integer in JSON
)

// MeasureOf returns the measure of values of a type. A time.Duration is an integer.
func MeasureOf(m *model.Model, r *model.Ref) Measure {
	switch {
	case m.Is(r, model.Duration):
		return Duration
	case m.Is(r, model.Quantity):
		return Quantity
	}
	return Number
}

// Read returns the amount of a text in steps of the measure: integers, nanoseconds, or billionths
// for quantities. Canonical is the text that the measure's type prints. A quantity of more than 64
// bits is not ok: its amount may have millions of digits.
func (m Measure) Read(text string) (amount *big.Int, canonical string, ok bool) {
	switch m {
	case Duration:
		d, err := time.ParseDuration(text)
		return big.NewInt(int64(d)), d.String(), err == nil
	case Quantity:
		return readQuantity(text)
	}
	amount, ok = new(big.Int).SetString(text, 10)
	return amount, text, ok
}

func readQuantity(text string) (billionths *big.Int, canonical string, ok bool) {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return nil, "", false
	}
	const digits, places = 19, 9 // 64 bits, and a billionth
	mantissa, exponent := q.AsCanonicalBytes(nil)
	if exponent > digits || int(exponent) < -places {
		return nil, "", false
	}
	billionths, ok = new(big.Int).SetString(string(mantissa), 10)
	if !ok {
		return nil, "", false
	}
	billionths.Mul(billionths, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(exponent)+places), nil))
	return billionths, q.String(), new(big.Int).Quo(billionths, billion).IsInt64()
}

var billion = big.NewInt(1_000_000_000)
