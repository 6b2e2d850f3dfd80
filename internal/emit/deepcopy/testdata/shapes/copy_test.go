package shapes_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"

	"github.com/kindsmith/kindsmith/internal/emit/deepcopy/testdata/markers"
	"github.com/kindsmith/kindsmith/internal/emit/deepcopy/testdata/shapes"
)

// filler fills all fields that are in JSON, and leaves about a tenth nil or empty.
func filler(seed int64) *randfill.Filler {
	return randfill.NewWithSeed(seed).NilChance(0.1).NumElements(0, 3).MaxDepth(14).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63n(1000), resource.DecimalSI)
			_ = q.String() // fills the quantity's cache
		},
		func(r *runtime.RawExtension, c randfill.Continue) { c.Fill(&r.Raw) },
		// These two count their copies.
		func(*shapes.ByHand, randfill.Continue) {},
		func(*shapes.Valued, randfill.Continue) {},
	)
}

func TestCopyIsEqualAndApart(t *testing.T) {
	for seed := range int64(100) {
		in := &shapes.Thing{}
		filler(seed).Fill(in)
		clearCounters(&in.Spec)
		out := in.DeepCopy()
		checkCounters(t, in, out)
		clearCounters(&out.Spec)
		if !reflect.DeepEqual(in, out) {
			t.Fatalf("seed %d: the copy differs from the object\nin  %+v\nout %+v", seed, in, out)
		}
		if shared := sharedMemory(in, out); shared != "" {
			t.Fatalf("seed %d: the copy shares memory with the object at %s", seed, shared)
		}
	}
}

// clearCounters resets the fields that the hand-written methods change on purpose.
func clearCounters(s *shapes.Spec) {
	s.ByHand, s.ByHands, s.ByHandPtr = shapes.ByHand{}, nil, nil
	s.Valued, s.ValuedPtr = shapes.Valued{}, nil
}

func checkCounters(t *testing.T, in, out *shapes.Thing) {
	t.Helper()
	if out.Spec.ByHand.Copied != in.Spec.ByHand.Copied+1 || out.Spec.Valued.Copied != in.Spec.Valued.Copied+1 {
		t.Fatalf("the methods by hand were not called once: %+v, %+v", out.Spec.ByHand, out.Spec.Valued)
	}
}

func TestMethodsByHand(t *testing.T) {
	in := &shapes.Spec{
		ByHands:   []shapes.ByHand{{Values: []string{"a"}}},
		ByHandPtr: &shapes.ByHand{Values: []string{"b"}},
		ValuedPtr: &shapes.Valued{Values: []string{"c"}},
	}
	out := in.DeepCopy()
	if got := []int{out.ByHands[0].Copied, out.ByHandPtr.Copied, out.ValuedPtr.Copied}; !reflect.DeepEqual(got, []int{1, 1, 1}) {
		t.Errorf("the methods by hand ran %v times", got)
	}
	if shared := sharedMemory(in, out); shared != "" {
		t.Errorf("the copy shares memory at %s", shared)
	}
}

func TestNilAndEmptyStayWhatTheyAre(t *testing.T) {
	in := &shapes.Spec{}
	in.Slices.Strings, in.Slices.Nested = []string{}, [][]string{nil, {}}
	in.Maps.Strings, in.Maps.Pointers = map[string]string{}, map[string]*int32{"nil": nil}
	in.Maps.Slices = map[string][]string{"nil": nil, "empty": {}}
	in.Named.Names, in.Named.Groups = shapes.Names{}, shapes.Groups{}
	in.Pointers = &shapes.Pointers{Slice: new([]string), Map: &map[string]string{}}
	out := in.DeepCopy()
	clearCounters(out)
	if !reflect.DeepEqual(in, out) {
		t.Errorf("nil and empty were mixed up:\nin  %+v\nout %+v", in, out)
	}
	for name, isNil := range map[string]bool{
		"a nil object":     (*shapes.Thing)(nil).DeepCopy() == nil,
		"a nil slice":      shapes.Names(nil).DeepCopy() == nil,
		"a nil map":        shapes.Labels(nil).DeepCopy() == nil,
		"a nil big map":    shapes.Groups(nil).DeepCopy() == nil,
		"a nil Object":     (*shapes.Thing)(nil).DeepCopyObject() == nil,
		"an empty slice":   shapes.Names{}.DeepCopy() != nil,
		"an empty map":     shapes.Labels{}.DeepCopy() != nil,
		"an empty big map": shapes.Groups{}.DeepCopy() != nil,
	} {
		if !isNil {
			t.Errorf("the copy of %s is of the other sort", name)
		}
	}
}

func TestCopyIntoNilMapEmptiesTheTarget(t *testing.T) {
	out := shapes.Groups{"old": nil}
	shapes.Groups(nil).DeepCopyInto(&out)
	if out != nil {
		t.Errorf("got %v, want nil", out)
	}
}

func TestObjects(t *testing.T) {
	var _ runtime.Object = &markers.Options{}
	var _ runtime.Object = &markers.Config{}
	var _ markers.Shape = markers.Circle{}
	for _, v := range []any{&markers.Template{}, &shapes.Spec{}, &shapes.Scalars{}} {
		if _, ok := v.(runtime.Object); ok {
			t.Errorf("%T is an object", v)
		}
	}
	for _, v := range []any{&markers.Excluded{}, &markers.AlsoExcluded{}} {
		if _, ok := reflect.TypeOf(v).MethodByName("DeepCopy"); ok {
			t.Errorf("%T has DeepCopy", v)
		}
	}

	list := &shapes.ThingList{Items: []shapes.Thing{{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"}}}}}
	holder := &markers.Holder{Object: list, Objects: []runtime.Object{list, nil}}
	out := holder.DeepCopy()
	for _, o := range []runtime.Object{out.Object, out.Objects[0]} {
		clearCounters(&o.(*shapes.ThingList).Items[0].Spec)
	}
	if !reflect.DeepEqual(holder, out) {
		t.Errorf("the copy %+v differs from %+v", out, holder)
	}
	if shared := sharedMemory(holder, out); shared != "" {
		t.Errorf("the copy shares memory at %s", shared)
	}
	circle := markers.Circle{Values: []string{"a"}}
	if shared := sharedMemory(circle, circle.DeepCopyShape()); shared != "" {
		t.Errorf("the copy by value shares memory at %s", shared)
	}
}

// sharedMemory returns the path of memory that two values share, or "". Immutable
// values, such as time zones, do not count.
func sharedMemory(a, b any) string {
	return shared(reflect.ValueOf(a), reflect.ValueOf(b), fmt.Sprintf("%T", a))
}

func shared(a, b reflect.Value, at string) string {
	if !a.IsValid() || !b.IsValid() || a.Type() == reflect.TypeFor[metav1.Time]() || a.Type().PkgPath() == "time" {
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return ""
		}
		if a.UnsafePointer() == b.UnsafePointer() && a.Type().Elem().Size() > 0 {
			return at
		}
		return shared(a.Elem(), b.Elem(), at)
	case reflect.Interface:
		return shared(a.Elem(), b.Elem(), at)
	case reflect.Slice:
		if a.Cap() > 0 && b.Cap() > 0 && a.UnsafePointer() == b.UnsafePointer() {
			return at
		}
		for i := range min(a.Len(), b.Len()) {
			if s := shared(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", at, i)); s != "" {
				return s
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if s := shared(a.Index(i), b.Index(i), fmt.Sprintf("%s[%d]", at, i)); s != "" {
				return s
			}
		}
	case reflect.Map:
		if !a.IsNil() && a.UnsafePointer() == b.UnsafePointer() {
			return at
		}
		for _, k := range a.MapKeys() {
			if s := shared(a.MapIndex(k), b.MapIndex(k), fmt.Sprintf("%s[%v]", at, k)); s != "" {
				return s
			}
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if s := shared(a.Field(i), b.Field(i), at+"."+a.Type().Field(i).Name); s != "" {
				return s
			}
		}
	}
	return ""
}

// TestSharedMemoryFinds tests sharedMemory.
func TestSharedMemoryFinds(t *testing.T) {
	n := rand.Int32()
	in := shapes.Spec{Pointers: &shapes.Pointers{Int: &n}}
	out := shapes.Spec{Pointers: &shapes.Pointers{Int: &n}}
	if unsafe.Pointer(in.Pointers) == unsafe.Pointer(out.Pointers) || sharedMemory(in, out) == "" {
		t.Error("a shared pointer was not found")
	}
	if sharedMemory(shapes.Spec{Slices: shapes.Slices{Strings: []string{"a"}}}, shapes.Spec{Slices: shapes.Slices{Strings: []string{"a"}}}) != "" {
		t.Error("separate slices were taken for one")
	}
}
