package cel

import (
	"cmp"
	"math"
	"math/bits"
	"reflect"
	"strconv"
)

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

// AddFits reports whether a + b is within 64 bits.
func AddFits(a, b int64) bool { return b >= 0 && a <= math.MaxInt64-b || b < 0 && a >= math.MinInt64-b }

// SubFits reports whether a - b is within 64 bits.
func SubFits(a, b int64) bool { return b < 0 && a <= math.MaxInt64+b || b >= 0 && a >= math.MinInt64+b }

// MulFits reports whether a * b is within 64 bits.
func MulFits(a, b int64) bool {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if (a < 0) != (b < 0) {
		return hi == 0 && lo <= 1<<63
	}
	return hi == 0 && lo < 1<<63
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// DivFits reports whether a / b and a % b exist.
func DivFits(a, b int64) bool { return b != 0 && (a != math.MinInt64 || b != -1) }

// Sum adds integers; SumFits reports whether all partial sums fit 64 bits.
func Sum[E integer](list []E) int64 {
	var sum int64
	for _, x := range list {
		sum += int64(x)
	}
	return sum
}

// SumFits reports whether Sum succeeds.
func SumFits[E integer](list []E) bool {
	var sum int64
	for _, x := range list {
		if !AddFits(sum, int64(x)) {
			return false
		}
		sum += int64(x)
	}
	return true
}

// IsInt reports whether ParseInt succeeds.
func IsInt(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

// ParseInt is int(s).
func ParseInt(s string) int64 {
	i, _ := strconv.ParseInt(s, 10, 64)
	return i
}

// IsIntRange reports whether IntOf succeeds.
func IsIntRange(f float64) bool { return f > math.MinInt64 && f < math.MaxInt64 }

// IntOf is int(f).
func IntOf(f float64) int64 { return int64(f) }

// Double is double(i).
func Double(i int64) float64 { return float64(i) }

// IsDouble reports whether ParseDouble succeeds.
func IsDouble(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// ParseDouble is double(s).
func ParseDouble(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// IsBool reports whether ParseBool succeeds.
func IsBool(s string) bool {
	_, err := strconv.ParseBool(s)
	return err == nil
}

// ParseBool is bool(s).
func ParseBool(s string) bool {
	b, _ := strconv.ParseBool(s)
	return b
}

// IsZero reports whether a value is the zero value of its type.
func IsZero[T any](v *T) bool { return reflect.ValueOf(v).Elem().IsZero() }

// IsNaN reports whether a double is NaN, which is not comparable.
func IsNaN(f float64) bool { return f != f }

// CompareIntDouble returns a number less than, equal to or greater than 0 if i is less than, equal
// to or greater than f.
func CompareIntDouble(i int64, f float64) int {
	switch {
	case f < math.MinInt64:
		return 1
	case f > math.MaxInt64:
		return -1
	}
	return cmp.Compare(float64(i), f)
}

// Choose is c ? x : y, and computes only the one that it returns.
func Choose[T any](c bool, x, y func() T) T {
	if c {
		return x()
	}
	return y()
}

// If is c ? x : y.
func If(c bool, x, y int64) int64 {
	if c {
		return x
	}
	return y
}
