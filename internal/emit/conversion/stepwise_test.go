package conversion_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	shopv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"
	shopv1alpha1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1alpha1"
	shopv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1beta1"
	"github.com/kindsmith/kindsmith/runtime/jsonconvert"
)

// TestStepwise converts objects to the hub through every chain of versions, as if these had
// been stored. The storage version does not decide what the object is, even if tracked values
// get lost.
func TestStepwise(t *testing.T) {
	scheme := newScheme(t)
	converter, err := jsonconvert.New(shopv1alpha1.JSONConversion())
	if err != nil {
		t.Fatal(err)
	}
	typed := func(in, out runtime.Object) {
		hub := &shopv1.Store{}
		for _, step := range [][2]runtime.Object{{in, hub}, {hub, out}} {
			if reflect.TypeOf(step[0]) == reflect.TypeOf(step[1]) {
				reflect.ValueOf(step[1]).Elem().Set(reflect.ValueOf(step[0].DeepCopyObject()).Elem())
			} else if err := scheme.Convert(step[0], step[1], nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	onJSON := func(in, out runtime.Object) {
		setKind(t, scheme, in)
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		setKind(t, scheme, out)
		if text, err = converter.Convert(nil, text, out.GetObjectKind().GroupVersionKind().Version); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, out); err != nil {
			t.Fatal(err)
		}
	}
	versions := []runtime.Object{&shopv1alpha1.Store{}, &shopv1beta1.Store{}, &shopv1.Store{}}
	for name, convert := range map[string]func(in, out runtime.Object){"typed": typed, "JSON": onJSON} {
		to := func(in, like runtime.Object) runtime.Object {
			out := reflect.New(reflect.TypeOf(like).Elem()).Interface().(runtime.Object)
			convert(in.DeepCopyObject(), out)
			status := reflect.ValueOf(out).Elem().FieldByName("Status")
			status.FieldByName("ChangedValues").SetZero()
			setKind(t, scheme, out)
			return out
		}
		for _, start := range []runtime.Object{
			&shopv1alpha1.Store{}, oldStore(), &shopv1beta1.Store{}, to(oldStore(), &shopv1beta1.Store{}),
		} {
			direct := to(start, &shopv1.Store{})
			var chain func(at runtime.Object, path []string)
			chain = func(at runtime.Object, path []string) {
				if diff := cmp.Diff(direct, to(at, &shopv1.Store{})); diff != "" {
					t.Errorf("%s, %T through %v (-direct +stepwise):\n%s", name, start, path, diff)
				}
				for _, v := range versions {
					_, oldest := v.(*shopv1alpha1.Store)
					if _, old := start.(*shopv1alpha1.Store); len(path) < 3 && (old || !oldest) {
						chain(to(at, v), append(path[:len(path):len(path)], reflect.TypeOf(v).String()))
					}
				}
			}
			chain(start, nil)
		}
	}
}

func setKind(t *testing.T, scheme *runtime.Scheme, o runtime.Object) {
	t.Helper()
	known, _, err := scheme.ObjectKinds(o)
	if err != nil {
		t.Fatal(err)
	}
	o.GetObjectKind().SetGroupVersionKind(known[0])
}
