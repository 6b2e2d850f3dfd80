package jsonconvert

import "testing"

// TestLoweredDefault fills in what a function returns. The newest version has more of the value, which is no part of the object:
// nothing is lost.
func TestLoweredDefault(t *testing.T) {
	c, err := New(&API{
		Group: "example.com",
		Kinds: []Kind{{Name: "Thing", Store: Annotation}},
		Versions: []Version{
			{Name: "v1alpha1", Kinds: map[string]Schema{"Thing": {}}},
			{Name: "v1beta1", Kinds: map[string]Schema{"Thing": {}}},
			{Name: "v1", Kinds: map[string]Schema{"Thing": {}}},
		},
		Steps: []Step{
			{Older: "v1alpha1", Newer: "v1beta1", Types: map[string]*Type{
				"Thing": {Fields: []Field{{Newer: Key{Name: "routes"}, DefaultFunc: "routes", Result: &Value{Elem: &Value{Type: "Route"}}}}},
			}},
			{Older: "v1beta1", Newer: "v1", Types: map[string]*Type{
				"Thing": {Fields: []Field{{Older: Key{Name: "routes"}, Newer: Key{Name: "routes"}, Value: Value{Elem: &Value{Type: "Route"}}}}},
				"Route": {Fields: []Field{{Newer: Key{Name: "fee"}}}},
			}},
		},
		Funcs: map[string]Func{"routes": func([]byte) ([]byte, error) { return []byte(`[{"fee":2,"to":"a"}]`), nil }},
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Strict = true
	const in = `{"apiVersion":"example.com/v1alpha1","kind":"Thing"}`
	for to, want := range map[string]string{
		"v1beta1": `{"apiVersion":"example.com/v1beta1","kind":"Thing","routes":[{"to":"a"}]}`,
		"v1":      `{"apiVersion":"example.com/v1","kind":"Thing","routes":[{"to":"a"}]}`,
	} {
		out, err := c.Convert(nil, []byte(in), to)
		if err != nil || string(out) != want {
			t.Errorf("%s, error %v, want %s", out, err, want)
		}
	}
}

// TestRequiredKeys tracks a value in an item whose key is absent. Objects that a server has stored get the key, as it is required.
func TestRequiredKeys(t *testing.T) {
	pause, number := Key{Name: "pause", Zero: `"0s"`, Required: true}, Key{Name: "pause", Zero: "0", Required: true}
	items, keys := Key{Name: "items"}, []string{"pause"}
	c, err := New(&API{
		Group:    "example.com",
		Kinds:    []Kind{{Name: "Thing", Store: Annotation}},
		Versions: []Version{{Name: "v1beta1", Kinds: map[string]Schema{"Thing": {}}}, {Name: "v1", Kinds: map[string]Schema{"Thing": {}}}},
		Steps: []Step{{Older: "v1beta1", Newer: "v1", Types: map[string]*Type{
			"Thing": {Fields: []Field{{Older: items, Newer: items, Value: Value{Elem: &Value{Type: "Item"}, OlderKeys: keys, NewerKeys: keys}}}},
			"Item": {Fields: []Field{
				{Older: pause, Newer: number, Value: Value{Call: &Call{Transform: &Transform{Name: "seconds", Bits: 64}}}},
				{Newer: Key{Name: "early", Zero: `""`}},
			}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const spec = `"kind":"Thing","metadata":{"uid":"1"},"items":[{`
	older, err := c.Convert(nil, []byte(`{"apiVersion":"example.com/v1",`+spec+`"early":"a"}]}`), "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Convert(nil, older, "v1")
	if want := `{"apiVersion":"example.com/v1",` + spec + `"pause":0,"early":"a"}]}`; err != nil || string(got) != want {
		t.Errorf("%s became %s, error %v, want %s", older, got, err, want)
	}
}
