// Package quantity compares quantities without expanding numbers. Only generated code and kindsmith use it.
//
// [Compare] orders two quantities, [Equal] compares amounts, and [Canonical] writes one.
package quantity

import (
	"bytes"
	"cmp"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Compare returns -1, 0 or 1 for a value below, at or above another. It allocates for quantities
// that are not 64-bit integers and have more than 18 digits, or a fraction and a binary suffix.
//
// Unlike resource.Quantity.Cmp it does not change the representation of the value,
// and does not expand numbers, which takes seconds for one as short as 1E10000000.
func Compare(value, other *resource.Quantity) int {
	x, xInteger := integer(value)
	y, yInteger := integer(other)
	if xInteger && yInteger {
		return cmp.Compare(x, y)
	}
	sign := value.Sign()
	if s := other.Sign(); sign != s || sign == 0 {
		return cmp.Compare(sign, s)
	}
	if xInteger {
		value = resource.NewQuantity(x, resource.DecimalSI)
	}
	if yInteger {
		other = resource.NewQuantity(y, resource.DecimalSI)
	}
	var room, otherRoom [24]byte // for 64 bits
	digits, exponent := value.AsCanonicalBytes(room[:0])
	others, at := other.AsCanonicalBytes(otherRoom[:0])
	digits, others = bytes.TrimPrefix(digits, minus), bytes.TrimPrefix(others, minus)
	// The numbers are 0.digits times ten to the power of their length and exponent,
	// and digits end in no zero.
	if magnitude := cmp.Compare(int64(len(digits))+int64(exponent), int64(len(others))+int64(at)); magnitude != 0 {
		return sign * magnitude
	}
	return sign * bytes.Compare(digits, others)
}

// Equal reports whether two quantities are the same amount.
func Equal(a, b *resource.Quantity) bool { return *a == *b || Compare(a, b) == 0 }

var minus = []byte("-")

// integer returns a quantity as a 64-bit integer, if it is one. Quantities with a fraction and a
// binary suffix, such as 1.5Gi, are decimals even if they are integers.
func integer(q *resource.Quantity) (value int64, ok bool) {
	if value, ok := q.AsInt64(); ok || q.Format != resource.BinarySI {
		return value, ok
	}
	decimal := *q // which AsDec may change
	d := decimal.AsDec()
	unscaled, scale := d.UnscaledBig(), d.Scale()
	value = unscaled.Int64()
	for ; scale > 0 && value%10 == 0; scale-- {
		value /= 10
	}
	return value, unscaled.IsInt64() && scale == 0
}

// Canonical returns the same for quantities that Compare finds equal, and only for those:
// digits, which it appends to room, and a magnitude.
func Canonical(q *resource.Quantity, room []byte) (digits []byte, magnitude int64) {
	if value, ok := integer(q); ok {
		q = resource.NewQuantity(value, resource.DecimalSI)
	}
	if q.Sign() == 0 {
		return append(room, '0'), 0
	}
	digits, exponent := q.AsCanonicalBytes(room)
	return digits, int64(len(bytes.TrimPrefix(digits, minus))) + int64(exponent)
}
