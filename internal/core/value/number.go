package value

import (
	"cmp"
	"math/big"
	"strings"
)

// decimal is a number of any size and precision: sign × 0.digits × 10^exp.
// Digits have no zeros at either end; zero has none at all, and no exponent.
type decimal struct {
	sign   int
	digits string
	exp    *big.Int
}

// decimalOf reads a JSON number. Its exponent is never multiplied out, so that
// 1e1000000000 costs no more than 1.
func decimalOf(text string) decimal {
	d := decimal{sign: 1, exp: new(big.Int)}
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		d.sign, text = -1, rest
	}
	mantissa := text
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		d.exp.SetString(strings.TrimPrefix(text[i+1:], "+"), 10)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	leading := len(whole) - (len(whole) + len(fraction) - len(digits))
	d.exp.Add(d.exp, big.NewInt(int64(leading)))
	d.digits = strings.TrimRight(digits, "0")
	if d.digits == "" {
		return decimal{exp: new(big.Int)}
	}
	return d
}

// compareNumbers orders two JSON numbers by their exact values.
func compareNumbers(x, y string) int {
	a, b := decimalOf(x), decimalOf(y)
	if a.sign != b.sign {
		return cmp.Compare(a.sign, b.sign)
	}
	return a.sign * cmp.Or(a.exp.Cmp(b.exp), strings.Compare(a.digits, b.digits))
}

// inRange parses a decimal integer between two bounds. An unsigned one has no
// sign, not even that of -0.
func inRange(text, lo, hi string) (n *big.Int, isInt, fits bool) {
	n, isInt = new(big.Int).SetString(text, 10)
	if !isInt {
		return nil, false, false
	}
	if lo == "0" && strings.ContainsAny(text, "+-") {
		return n, true, false
	}
	return n, true, n.Cmp(bigInt(lo)) >= 0 && n.Cmp(bigInt(hi)) <= 0
}

func bigInt(text string) *big.Int {
	n, _ := new(big.Int).SetString(text, 10)
	return n
}

// Integer returns a decimal integer without leading zeros, which mean octal in Go.
func Integer(text string) string {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return text
	}
	return n.String()
}
