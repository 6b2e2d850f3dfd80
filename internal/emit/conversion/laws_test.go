package conversion_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/randfill"

	handwrittenv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1"
	handwrittenv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1alpha1"
	handwrittenv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1beta1"
	shopv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"
	shopv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1alpha1"
	shopv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/convert"
)

const rounds = 300

// TestLaws fuzzes an object and converts it to another version and back through a
// scheme. It expects an equal object, and no shared memory on the way.
func TestLaws(t *testing.T) {
	scheme := newScheme(t)
	for _, law := range []struct {
		name string
		// start is converted to a via and back.
		start, via runtime.Object
	}{
		{"L2 shop v1alpha1", &shopv1alpha1.Store{}, &shopv1.Store{}},
		{"L2 shop v1beta1", &shopv1beta1.Store{}, &shopv1.Store{}},
		{"L2 shop v1alpha1 list", &shopv1alpha1.StoreList{}, &shopv1.StoreList{}},
		{"L1 shop v1alpha1", &shopv1.Store{}, &shopv1alpha1.Store{}},
		{"L1 shop v1beta1", &shopv1.Store{}, &shopv1beta1.Store{}},
		{"L2 courier v1beta1", &shopv1beta1.Courier{}, &shopv1.Courier{}},
		{"L1 courier v1beta1", &shopv1.CourierList{}, &shopv1beta1.CourierList{}},
		{"L2 hand-written v1alpha1", &handwrittenv1alpha1.Job{}, &handwrittenv1.Job{}},
		{"L2 hand-written v1beta1", &handwrittenv1beta1.Job{}, &handwrittenv1.Job{}},
	} {
		t.Run(law.name, func(t *testing.T) {
			for seed := range int64(rounds) {
				start := fuzzed(law.start, seed)
				withoutLossy(start)
				before := start.DeepCopyObject()
				via, back := empty(law.via), empty(law.start)
				if err := scheme.Convert(start, via, nil); err != nil {
					if strings.HasPrefix(law.name, "L1 shop") {
						continue // a function refuses the value
					}
					t.Fatalf("seed %d: there: %v", seed, err)
				}
				if at := shared(start, via); at != "" {
					t.Fatalf("seed %d: there: %s shares memory with its origin", seed, at)
				}
				if err := scheme.Convert(via, back, nil); err != nil {
					t.Fatalf("seed %d: back: %v", seed, err)
				}
				if at := shared(via, back); at != "" {
					t.Fatalf("seed %d: back: %s shares memory with its origin", seed, at)
				}
				if diff := cmp.Diff(before, start); diff != "" {
					t.Fatalf("seed %d: the input was changed:\n%s", seed, diff)
				}
				clearTypeMeta(reflect.ValueOf(before))
				clearTypeMeta(reflect.ValueOf(back))
				if strings.HasPrefix(law.name[3:], "shop") { // restored values come from JSON
					before, back = throughJSON(t, before), throughJSON(t, back)
				}
				if diff := cmp.Diff(before, back); diff != "" {
					t.Fatalf("seed %d: it did not come back as it was (-start +back):\n%s", seed, diff)
				}
			}
		})
	}
}

// withoutLossy unsets what may be lost, by the author's words.
func withoutLossy(o runtime.Object) {
	switch o := o.(type) {
	case *shopv1.Store:
		o.Spec.Backup = nil
	case *shopv1.StoreList:
		for i := range o.Items {
			o.Items[i].Spec.Backup = nil
		}
	}
}

// throughJSON returns an object as its JSON decodes: what JSON leaves out is unset.
func throughJSON(t *testing.T, o runtime.Object) runtime.Object {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	decoded := empty(o)
	if err := json.Unmarshal(text, decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		shopv1.AddToScheme, shopv1beta1.AddToScheme, shopv1alpha1.AddToScheme,
		handwrittenv1.AddToScheme, handwrittenv1beta1.AddToScheme, handwrittenv1alpha1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

func empty(o runtime.Object) runtime.Object {
	return reflect.New(reflect.TypeOf(o).Elem()).Interface().(runtime.Object)
}

// fuzzed returns an object of o's type, every part of it either unset, empty or filled.
func fuzzed(o runtime.Object, seed int64) runtime.Object {
	f := randfill.NewWithSeed(seed).NilChance(0.25).NumElements(0, 3).MaxDepth(9).Funcs(
		func(q *resource.Quantity, c randfill.Continue) {
			*q = *resource.NewQuantity(c.Int63n(1000), resource.DecimalSI)
		},
		func(m *metav1.MicroTime, c randfill.Continue) { m.Time = time.Unix(c.Int63n(1e9), 0).UTC() },
		func(m *metav1.TypeMeta, c randfill.Continue) { m.Kind, m.APIVersion = c.String(8), c.String(8) },
		func(m *metav1.ObjectMeta, c randfill.Continue) {
			m.Name, m.Generation = c.String(8), c.Int63()
			c.Fill(&m.Labels)
			c.Fill(&m.OwnerReferences)
			c.Fill(&m.DeletionTimestamp)
		},
		func(m *metav1.ListMeta, c randfill.Continue) { m.Continue = c.String(8) },
		func(r *corev1.ResourceList, c randfill.Continue) {
			if c.Bool() {
				*r = corev1.ResourceList{"cpu": *resource.NewQuantity(c.Int63n(9), resource.DecimalSI)}
			}
		},
		func(**convert.ChangedValues, randfill.Continue) {}, // only conversions write them
		// Values that the conversion functions of the test data read and write.
		func(v *shopv1alpha1.StoreSpec, c randfill.Continue) {
			c.FillNoCustom(v)
			v.Address = [][]string{nil, {"a; b"}, {"first line", "street; city"}}[c.Intn(3)]
		},
		func(v *shopv1beta1.StoreSpec, c randfill.Continue) {
			c.FillNoCustom(v)
			v.Address = []string{"", "a; b"}[c.Intn(2)]
		},
		// Most values of the hub fit into older versions; some do not.
		func(v *shopv1.StoreSpec, c randfill.Continue) {
			c.FillNoCustom(v)
			v.Port, v.Priority = uint32(c.Intn(65540)), int32(c.Intn(130))
			v.Opened = []string{"", "2026-01-02T03:04:05.000006Z", "then"}[min(2, c.Intn(20)/9)]
			if v.Limit != nil {
				*v.Limit %= 128
			}
		},
		func(v *shopv1.Shelf, c randfill.Continue) {
			c.FillNoCustom(v)
			v.Width >>= 33
		},
		choose[shopv1.Color]("Red", "Blue", "Teal", "Cyan", "DeprecatedBeige", "", "other"),
		choose[shopv1.Level](1, 10, 0, 3),
		// Values that are constants of an enum in some version, or in none.
		choose[shopv1alpha1.Color]("Crimson", "Blue", "Beige", "", "other"),
		choose[shopv1beta1.Color]("Crimson", "Blue", "Beige", "Teal", "", "other"),
		choose[shopv1alpha1.Level](1, 2, 0, 3),
		choose[shopv1beta1.Level](1, 2, 0, 3),
	)
	filled := empty(o)
	f.Fill(filled)
	return filled
}

func choose[T any](values ...T) func(*T, randfill.Continue) {
	return func(v *T, c randfill.Continue) { *v = values[c.Intn(len(values))] }
}

// clearTypeMeta clears the TypeMeta, which a scheme sets but a conversion does not.
func clearTypeMeta(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clearTypeMeta(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			clearTypeMeta(v.Index(i))
		}
	case reflect.Struct:
		if meta := v.FieldByName("TypeMeta"); meta.IsValid() {
			meta.SetZero()
			if items := v.FieldByName("Items"); items.IsValid() {
				clearTypeMeta(items)
			}
		}
	}
}

// shared returns the path of memory in b that is also in a, or "".
func shared(a, b any) string {
	inA := map[uintptr]string{}
	memory(reflect.ValueOf(a), "", func(p uintptr, path string) { inA[p] = path })
	found := ""
	memory(reflect.ValueOf(b), "", func(p uintptr, path string) {
		if from, ok := inA[p]; ok && found == "" {
			found = fmt.Sprintf("%s (%s of the origin)", path, from)
		}
	})
	return found
}

// memory calls visit for every pointer, map and list that can be changed
// through a value.
func memory(v reflect.Value, path string, visit func(p uintptr, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().Size() > 0 {
			visit(v.Pointer(), path)
			memory(v.Elem(), path, visit)
		}
	case reflect.Slice:
		if v.Cap() > 0 && v.Type().Elem().Size() > 0 {
			visit(v.Pointer(), path)
		}
		for i := range v.Len() {
			memory(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Array:
		for i := range v.Len() {
			memory(v.Index(i), fmt.Sprintf("%s[%d]", path, i), visit)
		}
	case reflect.Map:
		if !v.IsNil() {
			visit(v.Pointer(), path)
		}
		for it := v.MapRange(); it.Next(); {
			memory(it.Value(), fmt.Sprintf("%s[%v]", path, it.Key()), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				memory(v.Field(i), path+"."+f.Name, visit)
			}
		}
	}
}

// TestShared tests shared: it finds shared memory at any depth.
func TestShared(t *testing.T) {
	a := &shopv1.Store{Spec: shopv1.StoreSpec{
		Lists: map[string][]shopv1.Shelf{"a": {{Label: "b"}}}, Contact: &shopv1.Contact{Phones: []string{"1"}},
	}}
	b := &shopv1.Store{Spec: shopv1.StoreSpec{Lists: map[string][]shopv1.Shelf{"x": a.Spec.Lists["a"]}}}
	c := &shopv1.Store{Spec: shopv1.StoreSpec{Contact: &shopv1.Contact{Phones: a.Spec.Contact.Phones}}}
	if shared(a, b) == "" || shared(a, c) == "" {
		t.Error("shared memory was not found")
	}
	if at := shared(a, a.DeepCopy()); at != "" {
		t.Errorf("a copy seems to share %s", at)
	}
}
