package upstream_test

import (
	"math"
	"strings"
	"testing"

	upstream "k8s.io/apimachinery/pkg/api/validate"

	. "github.com/kindsmith/kindsmith/runtime/gen/validate"
)

// lengths are strings with characters of every width, and with invalid bytes.
var lengths = []text{
	"", "a", "ab", "abc", "abcd", "abcde", "é", "éé", "aé", "€", "€€", "a€é", "😀", "😀😀", "😀a", "a😀€é", "\xff", "\xff\xfe", "\xe2\x82", "a\xf0\x9f\x98",
	text(strings.Repeat("é", 63)), text(strings.Repeat("😀", 63)), text(strings.Repeat("a", 63)), text(strings.Repeat("a", 64)),
}

func TestLengths(t *testing.T) {
	for _, value := range lengths {
		for _, n := range []int{math.MinInt, -1, 0, 1, 2, 3, 4, 5, 8, 62, 63, 64, 126, 252, math.MaxInt} {
			same(t, create, upstream.MinLength(ctx, create, where, &value, nil, n),
				func(r *Run, at *Path) bool { return MinLength(r, at, value, n) })
			same(t, create, upstream.MaxLength(ctx, create, where, &value, nil, n),
				func(r *Run, at *Path) bool { return MaxLength(r, at, value, n) })
			same(t, create, upstream.MaxBytes(ctx, create, where, &value, nil, n),
				func(r *Run, at *Path) bool { return MaxBytes(r, at, value, n) })
		}
	}
}

func FuzzLengths(f *testing.F) {
	for _, value := range lengths {
		f.Add(string(value), 3)
	}
	f.Fuzz(func(t *testing.T, value string, n int) {
		same(t, create, upstream.MinLength(ctx, create, where, &value, nil, n),
			func(r *Run, at *Path) bool { return MinLength(r, at, value, n) })
		same(t, create, upstream.MaxLength(ctx, create, where, &value, nil, n),
			func(r *Run, at *Path) bool { return MaxLength(r, at, value, n) })
		same(t, create, upstream.MaxBytes(ctx, create, where, &value, nil, n),
			func(r *Run, at *Path) bool { return MaxBytes(r, at, value, n) })
	})
}
