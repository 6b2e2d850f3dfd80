package equality_test

import (
	"runtime/debug"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	eq "github.com/kindsmith/kindsmith/runtime/gen/equality"
)

// spec is compared like in generated code.
type spec struct {
	name      string
	count     *int32
	tags      []string
	labels    map[string]string
	limits    map[string]resource.Quantity
	requests  []resource.Quantity
	deadline  *metav1.Time
	started   metav1.MicroTime
	extension runtime.RawExtension
	list      *metav1.ListMeta
	children  map[string]spec
}

//go:noinline
func equalSpec(a, b *spec) bool {
	return a.name == b.name &&
		eq.PtrComparable(a.count, b.count) &&
		eq.SliceComparable(a.tags, b.tags) &&
		eq.MapComparable(a.labels, b.labels) &&
		eq.Map(a.limits, b.limits, eq.Quantity) &&
		eq.Slice(a.requests, b.requests, eq.Quantity) &&
		eq.Time(a.deadline, b.deadline) &&
		eq.MicroTime(&a.started, &b.started) &&
		eq.RawExtension(&a.extension, &b.extension) &&
		eq.Ptr(a.list, b.list, equalListMeta) &&
		eq.Map(a.children, b.children, equalSpec)
}

func newSpec(depth int) *spec {
	s := &spec{
		name: "name", count: ptr(int32(1)), tags: []string{"a", "b"}, labels: map[string]string{"a": "b", "c": "d"},
		limits:   map[string]resource.Quantity{"cpu": resource.MustParse("1"), "memory": resource.MustParse("1Gi"), "negative": resource.MustParse("-922337203685477580")},
		requests: []resource.Quantity{resource.MustParse("500m")},
		deadline: ptr(metav1.Unix(1, 2)), started: metav1.NowMicro(), extension: runtime.RawExtension{Raw: []byte("{}")},
		list: &metav1.ListMeta{RemainingItemCount: ptr(int64(3))},
	}
	s.started = metav1.UnixMicro(3, 4)
	if depth > 0 {
		s.children = map[string]spec{"x": *newSpec(depth - 1), "y": *newSpec(depth - 1)}
	}
	return s
}

func TestComparingDoesNotAllocate(t *testing.T) {
	optimised(t)
	a, b := newSpec(2), newSpec(2)
	equal := false
	if n := testing.AllocsPerRun(100, func() { equal = equalSpec(a, b) }); n != 0 || !equal {
		t.Errorf("equal %v, %v allocations", equal, n)
	}
	b.limits["cpu"] = resource.MustParse("1000m") // another scale
	if n := testing.AllocsPerRun(100, func() { equal = equalSpec(a, b) }); n != 0 || !equal {
		t.Errorf("scaled: equal %v, %v allocations", equal, n)
	}
	b.children["x"].labels["a"] = "c"
	if n := testing.AllocsPerRun(100, func() { equal = equalSpec(a, b) }); n != 0 || equal {
		t.Errorf("changed: equal %v, %v allocations", equal, n)
	}
}

func BenchmarkEqual(b *testing.B) {
	x, y := newSpec(1), newSpec(1)
	b.ReportAllocs()
	for b.Loop() {
		equalSpec(x, y)
	}
}

// exported mirrors spec for the library, which panics at unexported fields.
type exported struct {
	Name      string
	Count     *int32
	Tags      []string
	Labels    map[string]string
	Limits    map[string]resource.Quantity
	Requests  []resource.Quantity
	Deadline  *metav1.Time
	Started   metav1.MicroTime
	Extension runtime.RawExtension
	List      *metav1.ListMeta
	Children  map[string]exported
}

func export(s *spec) exported {
	e := exported{s.name, s.count, s.tags, s.labels, s.limits, s.requests, s.deadline, s.started, s.extension, s.list, nil}
	for k, v := range s.children {
		if e.Children == nil {
			e.Children = map[string]exported{}
		}
		e.Children[k] = export(&v)
	}
	return e
}

func BenchmarkEqualSemantic(b *testing.B) {
	x, y := export(newSpec(1)), export(newSpec(1))
	b.ReportAllocs()
	for b.Loop() {
		eq.Semantic(&x, &y)
	}
}

// optimised skips allocation tests in builds in which the compiler inlines less or
// sync.Pool drops items on purpose.
func optimised(t *testing.T) {
	t.Helper()
	if testing.CoverMode() != "" {
		t.Skip("built for coverage")
	}
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" || s.Key == "-gcflags" {
			t.Skip("built with " + s.Key)
		}
	}
}
