package equality_test

import (
	"math"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eq "github.com/kindsmith/kindsmith/runtime/gen/equality"
)

func FuzzQuantity(f *testing.F) {
	f.Add(int64(1), int8(0), int64(1000), int8(-3))
	f.Add(int64(math.MinInt64), int8(1), int64(math.MinInt64), int8(1))
	f.Add(int64(math.MaxInt64), int8(2), int64(0), int8(100))
	f.Add(int64(-10), int8(-1), int64(-1), int8(0))
	f.Fuzz(func(t *testing.T, m int64, e int8, n int64, g int8) {
		x, y := resource.NewScaledQuantity(m, resource.Scale(e)), resource.NewScaledQuantity(n, resource.Scale(g))
		z := x.DeepCopy()
		z.AsDec() // the other representation
		for _, pair := range [][2]*resource.Quantity{{x, y}, {&z, y}, {y, &z}, {x, &z}, {&z, &z}} {
			want := equality.Semantic.DeepEqual(*pair[0], *pair[1])
			if got := eq.Quantity(pair[0], pair[1]); got != want {
				t.Errorf("%de%d and %de%d: got %v, want %v", m, e, n, g, got, want)
			}
		}
	})
}

func FuzzTime(f *testing.F) {
	f.Add(int64(0), int64(0), int64(0), int64(0), 3600)
	f.Add(int64(1), int64(1e9), int64(2), int64(0), -60)
	f.Fuzz(func(t *testing.T, s1, n1, s2, n2 int64, offset int) {
		a := time.Unix(s1, n1)
		b := time.Unix(s2, n2).In(time.FixedZone("", offset))
		x, y := metav1.NewTime(a), metav1.NewTime(b)
		if got, want := eq.Time(&x, &y), equality.Semantic.DeepEqual(x, y); got != want {
			t.Errorf("%v and %v: got %v, want %v", a, b, got, want)
		}
		u, v := metav1.NewMicroTime(a), metav1.NewMicroTime(b)
		if got, want := eq.MicroTime(&u, &v), equality.Semantic.DeepEqual(u, v); got != want {
			t.Errorf("micro %v and %v: got %v, want %v", a, b, got, want)
		}
	})
}
