package equality_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eq "github.com/kindsmith/kindsmith/runtime/equality"
)

func FuzzQuantity(f *testing.F) {
	for _, a := range quantities() {
		if a != nil {
			f.Add(a.String(), "1000m")
		}
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, err := resource.ParseQuantity(a)
		if err != nil {
			return
		}
		y, err := resource.ParseQuantity(b)
		if err != nil {
			return
		}
		want := equality.Semantic.DeepEqual(x, y)
		if got := eq.Quantity(&x, &y); got != want {
			t.Errorf("%s and %s: got %v, want %v", a, b, got, want)
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
