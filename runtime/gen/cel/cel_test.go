package cel

import (
	"math"
	"math/big"
	"testing"
	"time"
)

func FuzzIntegers(f *testing.F) {
	for _, a := range []int64{0, 1, -1, 2, -2, 3037000500, math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1} {
		for _, b := range []int64{0, 1, -1, 2, -2, 3037000500, math.MaxInt64, math.MinInt64} {
			f.Add(a, b)
		}
	}
	f.Fuzz(func(t *testing.T, a, b int64) {
		x, y := big.NewInt(a), big.NewInt(b)
		for name, c := range map[string]struct {
			exact *big.Int
			fits  bool
		}{
			"+": {new(big.Int).Add(x, y), AddFits(a, b)},
			"-": {new(big.Int).Sub(x, y), SubFits(a, b)},
			"*": {new(big.Int).Mul(x, y), MulFits(a, b)},
		} {
			if c.fits != c.exact.IsInt64() {
				t.Errorf("%d %s %d: %v", a, name, b, c.fits)
			}
		}
		if b != 0 && DivFits(a, b) != new(big.Int).Quo(x, y).IsInt64() || b == 0 && DivFits(a, b) {
			t.Errorf("%d / %d", a, b)
		}
		if SumFits([]int64{a, b}) != AddFits(a, b) {
			t.Errorf("the sum of %d and %d", a, b)
		}
	})
}

func TestTimes(t *testing.T) {
	first, last := Timestamp("0001-01-01T00:00:00Z"), Timestamp("9999-12-31T23:59:59Z")
	if AddTimeFits(last, time.Second) || !AddTimeFits(last, 0) || SubTimeFits(first, time.Second) || SubTimeFits(last, math.MinInt64) {
		t.Error("times end where CEL ends them")
	}
	if BetweenFits(last, first) || !BetweenFits(first.Add(time.Hour), first) || Between(first.Add(time.Hour), first) != time.Hour {
		t.Error("durations end where CEL ends them")
	}
	if IsTimestamp("10000-01-01T00:00:00Z") || IsTimestamp("2024-01-02") || !IsTimestamp("2024-01-02T03:04:05.5+02:00") {
		t.Error("texts of times")
	}
}

func TestText(t *testing.T) {
	s := "añb"
	if Size(s) != 3 || IndexOf(s, "b") != 2 || LastIndexOf(s, "ñ") != 1 || IndexOf(s, "x") != -1 || IndexOf(s, "") != 0 || LastIndexOf(s, "") != 3 {
		t.Error("characters are counted")
	}
	if !InString(s, 3) || InString(s, 4) || InString(s, -1) || CharAt(s, 1) != "ñ" || CharAt(s, 3) != "" || Substring(s, 2) != "b" || SubstringTo(s, 0, 2) != "añ" {
		t.Error("parts of strings")
	}
	if IsSubstring(s, 2, 1) || IsSubstring(s, 0, 4) || !IsSubstring(s, 3, 3) {
		t.Error("bounds of parts")
	}
	if LowerASCII("ÀB") != "Àb" || UpperASCII("àb") != "àB" {
		t.Error("only ASCII has case")
	}
}

func TestCompareIntDouble(t *testing.T) {
	for _, x := range []struct {
		i    int64
		f    float64
		want int
	}{{1, 1.5, -1}, {2, 1.5, 1}, {2, 2, 0}, {math.MaxInt64, 1e300, -1}, {math.MinInt64, -1e300, 1}, {0, math.Inf(1), -1}} {
		if got := CompareIntDouble(x.i, x.f); got != x.want {
			t.Errorf("%d and %g: got %d", x.i, x.f, got)
		}
	}
}

// TestNoAllocations is about what valid objects come through.
func TestNoAllocations(t *testing.T) {
	list := []struct{ name string }{{"a"}, {"b"}}
	m := map[string]int{"a": 1}
	prefix := "a"
	if n := testing.AllocsPerRun(100, func() {
		Every(list, func(x *struct{ name string }) bool {
			return Some(list, func(y *struct{ name string }) bool { return x.name == y.name && prefix != "" })
		})
		EveryKey(m, func(k string) bool { return HasKey(m, k) && k == prefix })
		EveryEntry(m, func(k string, v int) bool { return v == len(prefix) && k == prefix })
		Count(list, func(x *struct{ name string }) bool { return x.name == prefix })
		CountTrue(prefix == "a", prefix == "b")
		IsQuantity("10Mi")
		IsDNS1123Label("a-b")
		IsIP("10.0.0.1")
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
