package equality_test

import (
	"math"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	eq "github.com/kindsmith/kindsmith/runtime/gen/equality"
)

// agree compares all pairs of values with f and with the library.
func agree[T any](t *testing.T, f func(a, b T) bool, values ...T) {
	t.Helper()
	equal := 0
	for i, a := range values {
		for j, b := range values {
			want := equality.Semantic.DeepEqual(a, b)
			if got := f(a, b); got != want {
				t.Errorf("values %d and %d, %v and %v: got %v, want %v", i, j, a, b, got, want)
			}
			if want {
				equal++
			}
		}
	}
	if equal == len(values)*len(values) || len(values) > 1 && equal == 0 {
		t.Errorf("%d of %d pairs are equal: the values test nothing", equal, len(values)*len(values))
	}
}

func ptr[T any](v T) *T { return &v }

func quantities() []*resource.Quantity {
	qs := []*resource.Quantity{nil, {}}
	for _, s := range []string{"0", "1", "1000m", "1.0", "1e0", "1Ki", "1024", "1k", "1000", "-1", "-1000m", "1n", "1u", "1000n",
		"9223372036854775807", "9223372036854775808", "9223372036854775808000m", "100e100", "1e102", "10E100", "1.5Gi", "1610612736", "5e-1", "500m"} {
		qs = append(qs, ptr(resource.MustParse(s)))
	}
	asDec := resource.MustParse("1")
	asDec.AsDec()
	return append(qs, &asDec)
}

func TestQuantity(t *testing.T) {
	agree(t, eq.Quantity, quantities()...)
	// Comparing does not change the values.
	for _, a := range quantities() {
		for _, b := range quantities() {
			if a == nil || b == nil {
				continue
			}
			x, y := *a, *b
			eq.Quantity(a, b)
			if *a != x || *b != y {
				t.Errorf("comparing %v and %v changed one of them", &x, &y)
			}
		}
	}
}

// The library takes seconds for this value, so the test does not call it.
func TestHugeQuantity(t *testing.T) {
	huge, same, one := resource.MustParse("1E100000000"), resource.MustParse("1000E99999997"), resource.MustParse("1000m")
	if start := time.Now(); eq.Quantity(&huge, &one) || eq.Quantity(&one, &huge) || !eq.Quantity(&huge, &same) || time.Since(start) > time.Second {
		t.Error("wrong or slow")
	}
}

func times() []time.Time {
	now := time.Now() // with a monotonic reading
	return []time.Time{{}, now, now.Round(0), now.UTC(), now.In(time.FixedZone("x", 3600)), now.Add(time.Nanosecond), now.Truncate(time.Second),
		time.Unix(0, 0), time.Unix(0, 0).UTC(), time.Date(1, 1, 1, 1, 0, 0, 0, time.FixedZone("x", 3600)), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}
}

func TestTime(t *testing.T) {
	micro, whole := []*metav1.MicroTime{nil}, []*metav1.Time{nil}
	for _, at := range times() {
		micro = append(micro, ptr(metav1.NewMicroTime(at)))
		whole = append(whole, ptr(metav1.NewTime(at)))
	}
	agree(t, eq.Time, whole...)
	agree(t, eq.MicroTime, micro...)
}

func fieldsV1(text string) *metav1.FieldsV1 {
	var f metav1.FieldsV1
	if err := f.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return &f
}

func TestBytesAndRaw(t *testing.T) {
	agree(t, eq.Bytes, nil, []byte{}, []byte("a"), []byte("a"), []byte("b"), []byte("ab"))
	agree(t, eq.FieldsV1, nil, &metav1.FieldsV1{}, fieldsV1(""), fieldsV1("{}"), fieldsV1("{}"), fieldsV1(`{"f:a":{}}`))
	status := func(message string) runtime.Object { return &metav1.Status{Message: message} }
	agree(t, eq.RawExtension, nil, &runtime.RawExtension{}, &runtime.RawExtension{Raw: []byte{}}, &runtime.RawExtension{Raw: []byte("{}")},
		&runtime.RawExtension{Raw: []byte("{}")}, &runtime.RawExtension{Object: status("a")}, &runtime.RawExtension{Object: status("a")},
		&runtime.RawExtension{Object: status("b")}, &runtime.RawExtension{Object: (*metav1.Status)(nil)},
		&runtime.RawExtension{Object: &metav1.PartialObjectMetadata{}})
}

func TestPointers(t *testing.T) {
	nan := ptr(math.NaN())
	agree(t, eq.PtrComparable[string], nil, ptr(""), ptr("a"), ptr("a"), ptr("b"))
	agree(t, eq.PtrComparable[float64], nil, ptr(0.), ptr(math.Copysign(0, -1)), nan, ptr(math.NaN()))
	odd := &metav1.ListMeta{RemainingItemCount: ptr(int64(1))}
	agree(t, func(a, b *metav1.ListMeta) bool { return eq.Ptr(a, b, equalListMeta) }, nil, &metav1.ListMeta{}, odd, odd.DeepCopy(), &metav1.ListMeta{Continue: "x"})
}

func equalListMeta(a, b *metav1.ListMeta) bool {
	return a.SelfLink == b.SelfLink && a.ResourceVersion == b.ResourceVersion && a.Continue == b.Continue &&
		eq.PtrComparable(a.RemainingItemCount, b.RemainingItemCount)
}

func TestSlices(t *testing.T) {
	nans := []float64{math.NaN()}
	agree(t, eq.SliceComparable[float64], nil, []float64{}, []float64{1}, []float64{1}, []float64{1, 2}, []float64{2, 1}, nans, []float64{math.NaN()}, nans[:1:1])
	one, milli, two := resource.MustParse("1"), resource.MustParse("1000m"), resource.MustParse("2")
	agree(t, func(a, b []resource.Quantity) bool { return eq.Slice(a, b, eq.Quantity) },
		nil, []resource.Quantity{}, []resource.Quantity{one}, []resource.Quantity{milli}, []resource.Quantity{one, two}, []resource.Quantity{milli, two}, []resource.Quantity{two, one})
	agree(t, func(a, b []*resource.Quantity) bool {
		return eq.Slice(a, b, func(a, b **resource.Quantity) bool { return eq.Quantity(*a, *b) })
	}, nil, []*resource.Quantity{}, []*resource.Quantity{nil}, []*resource.Quantity{&one}, []*resource.Quantity{&milli}, []*resource.Quantity{&two})
}

func TestMaps(t *testing.T) {
	nans := map[string]float64{"a": math.NaN()}
	agree(t, eq.MapComparable[string, float64], nil, map[string]float64{}, map[string]float64{"a": 1}, map[string]float64{"a": 1}, map[string]float64{"b": 1},
		map[string]float64{"a": 2}, map[string]float64{"a": 0}, map[string]float64{"b": 0}, map[string]float64{"a": 1, "b": 2}, nans, map[string]float64{"a": math.NaN()})
	one, milli, zero := resource.MustParse("1"), resource.MustParse("1000m"), resource.Quantity{}
	type list = map[string]resource.Quantity
	agree(t, func(a, b list) bool { return eq.Map(a, b, eq.Quantity) },
		nil, list{}, list{"a": one}, list{"a": milli}, list{"b": one}, list{"a": zero}, list{"b": zero}, list{"a": one, "b": zero}, list{"b": zero, "a": milli})
}

func TestSemantic(t *testing.T) {
	agree[metav1.Object](t, eq.Semantic[metav1.Object], nil, &metav1.ObjectMeta{}, &metav1.ObjectMeta{Labels: map[string]string{}}, &metav1.ObjectMeta{Name: "x"})
}
