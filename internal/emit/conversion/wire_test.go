package conversion_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	handwrittenv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1"
	handwrittenv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1alpha1"
	handwrittenv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/handwritten/v1beta1"
	shopv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"
	shopv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1alpha1"
	shopv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/wire"
)

// kinds are the kinds of the test data in all their versions, with what converts their
// JSON.
func kinds(t testing.TB) map[*wire.Converter][][]runtime.Object {
	t.Helper()
	make := func(conversions ...wire.Conversion) *wire.Converter {
		c, err := wire.New(conversions...)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	return map[*wire.Converter][][]runtime.Object{
		make(shopv1alpha1.WireConversion(), shopv1beta1.WireConversion()): {
			{&shopv1alpha1.Store{}, &shopv1beta1.Store{}, &shopv1.Store{}},
			{&shopv1alpha1.StoreList{}, &shopv1beta1.StoreList{}, &shopv1.StoreList{}},
			{&shopv1beta1.Courier{}, &shopv1.Courier{}},
		},
		make(handwrittenv1alpha1.WireConversion(), handwrittenv1beta1.WireConversion()): {
			{&handwrittenv1alpha1.Job{}, &handwrittenv1beta1.Job{}, &handwrittenv1.Job{}},
		},
	}
}

// TestWire converts random objects between all pairs of versions, as Go objects and as
// JSON. Both give the same object, or both fail.
func TestWire(t *testing.T) {
	scheme := newScheme(t)
	for converter, families := range kinds(t) {
		for _, family := range families {
			for _, from := range family {
				for _, to := range family {
					failed := 0
					for seed := range int64(rounds) {
						if !convertsAlike(t, scheme, converter, fuzzed(from, seed), to) {
							failed++
						}
					}
					if failed > rounds*2/3 {
						t.Errorf("%T to %T: %d of %d conversions failed", from, to, failed, rounds)
					}
				}
			}
		}
	}
}

// convertsAlike compares the conversions of one object. It reports whether they succeed.
func convertsAlike(t *testing.T, scheme *runtime.Scheme, converter *wire.Converter, start, to runtime.Object) bool {
	t.Helper()
	setKind(t, scheme, start)
	in, err := json.Marshal(start)
	if err != nil {
		t.Fatal(err)
	}
	// What JSON cannot express, such as empty lists with omitempty, is not compared.
	start = empty(start)
	if err := json.Unmarshal(in, start); err != nil {
		t.Fatal(err)
	}
	want := empty(to)
	setKind(t, scheme, want)
	version := want.GetObjectKind().GroupVersionKind().Version
	typedErr := convertTyped(scheme, start, want)
	text, wireErr := converter.Convert(nil, in, version)
	if (typedErr == nil) != (wireErr == nil) {
		t.Fatalf("%s\nto %s: typed error %v, wire error %v", in, version, typedErr, wireErr)
	}
	if typedErr != nil {
		return false
	}
	setKind(t, scheme, want)
	wanted, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, to, wanted), decoded(t, to, text)); diff != "" {
		t.Fatalf("%s\nto %s (-typed +wire):\n%s", in, version, diff)
	}
	return true
}

// convertTyped converts by way of the hub, as webhooks do.
func convertTyped(scheme *runtime.Scheme, from, to runtime.Object) error {
	kind := from.GetObjectKind().GroupVersionKind()
	version := to.GetObjectKind().GroupVersionKind().Version
	if version == kind.Version {
		return scheme.Convert(from, to, nil)
	}
	if kind.Version == "v1" || version == "v1" {
		return scheme.Convert(from, to, nil)
	}
	kind.Version = "v1"
	hub, err := scheme.New(kind)
	if err != nil {
		return err
	}
	if err := scheme.Convert(from, hub, nil); err != nil {
		return err
	}
	return scheme.Convert(hub, to, nil)
}

func setKind(t *testing.T, scheme *runtime.Scheme, o runtime.Object) {
	t.Helper()
	known, _, err := scheme.ObjectKinds(o)
	if err != nil {
		t.Fatal(err)
	}
	o.GetObjectKind().SetGroupVersionKind(known[0])
}

// decoded returns a text as an object, without the TypeMeta of the items of lists.
func decoded(t *testing.T, like runtime.Object, text []byte) runtime.Object {
	t.Helper()
	o := empty(like)
	if err := json.Unmarshal(text, o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	kind := o.GetObjectKind().GroupVersionKind()
	clearTypeMeta(reflect.ValueOf(o))
	o.GetObjectKind().SetGroupVersionKind(kind)
	return o
}

// TestWireComesBack converts the JSON of random objects to each other version and back. It
// expects the same object.
func TestWireComesBack(t *testing.T) {
	scheme := newScheme(t)
	for converter, families := range kinds(t) {
		for _, family := range families {
			for _, from := range family {
				for _, to := range family {
					if gvk(t, from).Group != "shop.example.com" {
						continue // its changes are lossy
					}
					for seed := range int64(rounds / 3) {
						start := fuzzed(from, seed)
						withoutLossy(start)
						setKind(t, scheme, start)
						in, err := json.Marshal(start)
						if err != nil {
							t.Fatal(err)
						}
						there, err := converter.Convert(nil, in, versionOf(t, to))
						if err != nil {
							continue // a function refuses the value
						}
						back, err := converter.Convert(nil, there, versionOf(t, from))
						if err != nil {
							t.Fatalf("%s\nis\n%s\nand does not come back: %v", in, there, err)
						}
						if diff := cmp.Diff(decoded(t, from, in), decoded(t, from, back)); diff != "" {
							t.Fatalf("%s\nis\n%s\n(-start +back):\n%s", in, there, diff)
						}
					}
				}
			}
		}
		if n := converter.Dropped(); n > 0 {
			t.Errorf("%d values were dropped", n)
		}
	}
}

// TestWireLaws checks what holds for JSON and not for Go objects: converting to the
// version that an object has changes no byte, fields that no version knows survive, and
// partial objects stay partial.
func TestWireLaws(t *testing.T) {
	for converter, families := range kinds(t) {
		for _, family := range families {
			for _, from := range family {
				for _, to := range family {
					a, b := versionOf(t, from), versionOf(t, to)
					for _, body := range []string{`}`, `, "x" : [ 1.50 ] }`, `,"metadata":{"name":"n","x":{}},"spec":null}`} {
						head := `{ "kind":"` + kindOf(from) + `","apiVersion":"` + groupOf(t, from) + "/"
						got, err := converter.Convert(nil, []byte(head+a+`"`+body), b)
						if want := head + b + `"` + body; err != nil || string(got) != want {
							t.Errorf("%T to %T: %s, error %v; want %s", from, to, got, err, want)
						}
					}
				}
			}
		}
	}
}

func versionOf(t *testing.T, o runtime.Object) string { return gvk(t, o).Version }
func groupOf(t *testing.T, o runtime.Object) string   { return gvk(t, o).Group }
func kindOf(o runtime.Object) string                  { return reflect.TypeOf(o).Elem().Name() }

func gvk(t *testing.T, o runtime.Object) metav1.GroupVersionKind {
	t.Helper()
	known, _, err := newScheme(t).ObjectKinds(o)
	if err != nil {
		t.Fatal(err)
	}
	return metav1.GroupVersionKind(known[0])
}
