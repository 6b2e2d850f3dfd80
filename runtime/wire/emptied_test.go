package wire

import (
	"errors"
	"strings"
	"testing"
)

// TestMoveOutOfFunctions converts objects of which a value moves out of a parent, whose zero values a function or a transform
// makes others of. A parent that has nothing else is left out, whatever they make of it, and no other is.
func TestMoveOutOfFunctions(t *testing.T) {
	text := Typed(func(in *int32, out *string) error {
		*out = strings.Repeat("i", int(*in)) + "."
		return nil
	})
	number := Typed(func(in *string, out *int32) error {
		*out = int32(strings.Count(*in, "i"))
		return nil
	})
	c, err := New(Conversion{&Table{Group: "g", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{
			Fields: []Field{{Older: "p", Hub: "p", Value: Value{Type: 3}}, {Hub: "m"}},
			Moves: []Move{{
				Older: []Step{
					{Key: "p", Optional: true, OtherZero: []byte(`{"name":null}`)},
					{Key: "q", Optional: true, Zero: []byte(`{"n":0,"on":""}`), OtherZero: []byte(`{"n":"","on":false}`)}, {Key: "m"},
				},
				Hub: []Step{{Key: "m"}}, Since: "v1", Until: "v1beta1",
			}},
		},
		{Fields: []Field{{Older: "q", Hub: "q", Value: Value{Type: 4}}, {Older: "name", Hub: "names", Value: Value{Wrap: &Value{}}}}},
		{Fields: []Field{{Older: "n", Hub: "n", Value: Value{Up: "Text", Down: "Number", Since: "v1", Until: "v1beta1"}}, {Older: "m"}, {
			Older: "on", Hub: "on", Value: Value{Transforms: []Transform{{Name: "bool"}}, Since: "v1", Until: "v1beta1"}, OlderZero: []byte(`""`), HubZero: []byte("false"),
		}, {Older: "left", Hub: "left", Value: Value{Transforms: []Transform{{Name: "integer"}}, Since: "v1", Until: "v1beta1"}, OlderOmits: true}}},
	}}, map[string]Func{"Text": text, "Number": number}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, in, there string }{
		{"v1beta1", `{"p":{"q":{"m":1}}}`, `{"m":1}`},
		{"v1beta1", `{"p":{"q":{"m":1,"n":2}}}`, `{"p":{"q":{"n":"ii."}},"m":1}`},
		{"v1beta1", `{"p":{"name":"a","q":{"m":1}}}`, `{"p":{"names":["a"]},"m":1}`},
		{"v1beta1", `{"p":{"q":{"n":0}}}`, `{"p":{"q":{"n":"."}}}`},
		{"v1beta1", `{"p":{"q":{"m":1,"on":"false"}}}`, `{"p":{"q":{"on":false}},"m":1}`},
		{"v1", `{"m":1}`, `{"p":{"q":{"m":1}}}`},
		{"v1", `{"p":{"q":{"n":"i."}},"m":1}`, `{"p":{"q":{"n":1,"m":1}}}`},
		// These are tracked: an empty parent is left out on the way back.
		{"v1", `{"p":{"q":{"n":"."}},"m":1}`, ``},
		{"v1", `{"p":{"q":{}},"m":1}`, ``},
		{"v1", `{"p":{},"m":1}`, ``},
		{"v1", `{"p":{"q":{"n":"x"}},"m":1}`, ``},
	} {
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		in := `{"kind":"K","apiVersion":"g/` + test.from + `","spec":` + test.in + `}`
		there, err := c.Convert(nil, []byte(in), to)
		back, err2 := c.Convert(nil, there, test.from)
		if err := errors.Join(err, err2); err != nil || !same([]byte(in), back) {
			t.Errorf("%s became %s and %s, error %v", in, there, back, err)
		}
		if want := `{"kind":"K","apiVersion":"g/` + to + `","spec":` + test.there + `}`; test.there != "" && !same(there, []byte(want)) {
			t.Errorf("%s became %s, want %s", in, there, want)
		}
	}
	// Go writes zero values in the parent that was created for the value, or leaves them out.
	want := []byte(`{"kind":"K","apiVersion":"g/v1","spec":{"m":1}}`)
	for _, in := range []string{`{"p":{"q":{"m":1,"n":0,"on":""}}}`, `{"p":{"q":{"m":1,"left":""}}}`} {
		object := []byte(`{"kind":"K","apiVersion":"g/v1beta1","spec":` + in + `}`)
		if out, err := c.Convert(nil, object, "v1"); err != nil || !same(out, want) {
			t.Errorf("%s became %s, error %v, want %s", object, out, err, want)
		}
	}
}

// TestMoveIntoRestored restores an explicit zero value in a parent that a value moves into. It becomes nothing on the way back, so
// that the parent would be left out.
func TestMoveIntoRestored(t *testing.T) {
	wrapped := Value{Wrap: &Value{}, ListSince: "v1", Since: "v1", Until: "v1beta1"}
	c, err := New(Conversion{Table: &Table{Group: "g", Older: "v1alpha1", Hub: "v1", Versions: []string{"v1alpha1", "v1beta1", "v1"}, Types: []Type{
		{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{
			Fields: []Field{{Older: "p", Hub: "p", Value: Value{Type: 3}}, {Hub: "m"}},
			Moves:  []Move{{Older: []Step{{Key: "p", Optional: true}, {Key: "m"}}, Hub: []Step{{Key: "m"}}, Since: "v1beta1", Until: "v1alpha1"}},
		},
		{Fields: []Field{{Older: "m"}, {Older: "name", Hub: "names", Value: wrapped, Names: []Name{{Since: "v1", Key: "names"}}, OlderOmits: true}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	in := []byte(`{"kind":"K","apiVersion":"g/v1","metadata":{"annotations":{"versioned.g/changed-values":` +
		quote(`{"format":1,"downgrades":{"v1beta1":[{"jsonPath":"$.spec.p.name","value":""}]}}`) + `}},"spec":{"m":"a","p":{}}}`)
	there, err := c.Convert(nil, in, "v1alpha1")
	back, err2 := c.Convert(nil, there, "v1")
	if err := errors.Join(err, err2); err != nil || !same(back, in) || !same(newNode(there, 0).get("spec").json(), []byte(`{"p":{"m":"a","name":""}}`)) {
		t.Errorf("%s became %s and %s, error %v", in, there, back, err)
	}
}
