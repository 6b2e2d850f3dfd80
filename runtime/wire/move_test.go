package wire

import (
	"bytes"
	"cmp"
	"errors"
	"testing"
)

// TestMove converts objects of two versions that have fields at different paths.
func TestMove(t *testing.T) {
	path := func(keys ...string) (steps []Step) {
		for i, key := range keys {
			steps = append(steps, Step{Key: key, Optional: key != "always" && i+1 < len(keys)})
		}
		return steps
	}
	moved := Type{
		Fields: []Field{
			{Older: "a", Hub: "a", Value: Value{Type: 3}}, {Older: "was", Hub: "always", Value: Value{Type: 4}},
			{Older: "top"}, {Older: "gone", Until: "v1beta1"}, {Hub: "x"}, {Hub: "down"},
		},
		Moves: []Move{
			{Older: path("top"), Hub: path("a", "top"), Since: "v1", Until: "v1beta1"},
			{Older: path("was", "x"), Hub: path("x"), Since: "v1", Until: "v1beta1"},
			{Older: path("gone", "deep", "down"), Hub: path("down"), Value: Value{Up: "Up", Down: "Down"}, Since: "v1", Until: "v1beta1"},
		},
	}
	moved.Moves[1].Older[0].Optional = false
	table := &Table{Group: "g", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		moved,
		{Fields: []Field{{Hub: "top"}}},
		{Fields: []Field{{Older: "x"}}},
	}}
	refuses := func(text string) Func {
		return func(value []byte) ([]byte, error) {
			if string(value) == text {
				return nil, &Error{Err: errors.New("refused")}
			}
			return value, nil
		}
	}
	c, err := New(Conversion{table, map[string]Func{"Up": refuses(`"up"`), "Down": refuses(`"down"`)}})
	if err != nil {
		t.Fatal(err)
	}
	object := func(version, spec string) string {
		return `{"kind":"K","apiVersion":"g/` + version + `","spec":` + spec + `}`
	}
	for name, test := range map[string]struct{ from, in, out string }{
		"parent created":            {"v1beta1", `{ "top" : 1,"z":2}`, `{"z":2,"a":{"top":1}}`},
		"into a parent":             {"v1beta1", `{"a":{"z":1.0}, "top":null}`, `{"a":{"z":1.0,"top":null}}`},
		"null creates nothing":      {"v1", `{"a":null,"x":null}`, `{"a":null}`},
		"out of the last":           {"v1", `{"a":{"top":{"q":[1 , 2]}},"b":1}`, `{"b":1,"top":{"q":[1 , 2]}}`},
		"not out of others":         {"v1", `{"a":{"top":1,"unknown":2}}`, `{"a":{"unknown":2},"top":1}`},
		"nothing moves":             {"v1", `{"a":{}}`, `{"a":{}}`},
		"always written":            {"v1beta1", `{"was":{"x":1}}`, `{"always":{},"x":1}`},
		"absent where converted to": {"v1beta1", `{"gone":{"deep":{"down":1}}}`, `{"down":1}`},
		"the rest is renamed":       {"v1", `{"always":{"y":1},"x":[]}`, `{"was":{"y":1,"x":[]}}`},
	} {
		to := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}[test.from]
		out, err := c.Convert(nil, []byte(object(test.from, test.in)), to)
		if got, want := string(out), object(to, test.out); err != nil || got != want {
			t.Errorf("%s: %s, error %v, want %s", name, got, err, want)
		}
	}
	// What parents cannot express is tracked.
	for _, hub := range []string{`{"a":{},"down":1}`, `{"x":1}`, `{"x":1,"always":{}}`, `{"a":{"top":1}}`} {
		in := object("v1", hub)
		there, err := c.Convert(nil, []byte(in), "v1beta1")
		back, err2 := c.Convert(nil, there, "v1")
		if err := errors.Join(err, err2); err != nil || !same([]byte(in), back) {
			t.Errorf("%s became %s and %s, error %v", in, there, back, err)
		}
	}
	for _, older := range []string{`{"a":{},"top":1}`, `{"gone":{"deep":{}}}`, `{"gone":{"deep":{"down":1},"z":1}}`, `{"gone":null}`, `{"gone":null,"top":1}`} {
		in := object("v1beta1", older)
		there, err := c.Convert(nil, []byte(in), "v1")
		back, err2 := c.Convert(nil, there, "v1beta1")
		if err := errors.Join(err, err2); err != nil || !same([]byte(in), back) {
			t.Errorf("%s became %s and %s, error %v", in, there, back, err)
		}
	}
	for _, test := range []struct{ from, to, in, want string }{
		{"v1beta1", "v1", `{"gone":{"deep":{"down":"up"}}}`, "$.spec.gone.deep.down: refused"},
		{"v1beta1", "v1", `{"a":[],"top":1}`, "$.spec.a: top is to be moved into it, and it is no object"},
		{"v1", "v1beta1", `{"down":"down"}`, "$.spec.down: refused"},
	} {
		if _, err := c.Convert(nil, []byte(object(test.from, test.in)), test.to); err == nil || err.Error() != test.want {
			t.Errorf("%s: error %v, want %s", test.in, err, test.want)
		}
	}
}

// TestMoveBesideDefault converts objects of which a value moves out of a parent that has a default, or a removed field.
func TestMoveBesideDefault(t *testing.T) {
	c, err := New(Conversion{Table: &Table{Group: "g", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{
			Fields: []Field{
				{Older: "p", Hub: "p", Value: Value{Type: 3}}, {Older: "q", Hub: "q", Value: Value{Type: 4}},
				{Hub: "m"}, {Hub: "n"},
			},
			Moves: []Move{
				{Older: []Step{{Key: "p", Optional: true}, {Key: "m"}}, Hub: []Step{{Key: "m"}}, Since: "v1", Until: "v1beta1"},
				{Older: []Step{{Key: "q", Optional: true}, {Key: "n"}}, Hub: []Step{{Key: "n"}}, Since: "v1", Until: "v1beta1"},
			},
		},
		{Fields: []Field{{Older: "m"}, {Hub: "mode", Fill: []byte(`"a"`), Since: "v1"}}},
		{Fields: []Field{{Older: "n"}, {Older: "gone", Until: "v1beta1"}}},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ from, to, in string }{
		{"v1beta1", "v1", `{"p":{"m":1}}`},
		{"v1beta1", "v1", `{"p":{}}`},
		{"v1beta1", "v1", `{"q":{"gone":true,"n":[]}}`},
		{"v1beta1", "v1", `{"q":{"gone":true}}`},
		{"v1beta1", "v1", `{"q":{"n":1}}`},
		{"v1", "v1beta1", `{"m":1}`},
		{"v1", "v1beta1", `{"m":1,"p":{}}`},
		{"v1", "v1beta1", `{"m":1,"p":{"mode":"a"}}`},
		{"v1", "v1beta1", `{"m":1,"p":{"mode":"b"}}`},
		{"v1", "v1beta1", `{"p":{"mode":"a"}}`},
		{"v1", "v1beta1", `{"n":1,"q":{}}`},
		{"v1", "v1beta1", `{"n":1}`},
	} {
		in := `{"kind":"K","apiVersion":"g/` + test.from + `","spec":` + test.in + `}`
		there, err := c.Convert(nil, []byte(in), test.to)
		back, err2 := c.Convert(nil, there, test.from)
		if err := errors.Join(err, err2); err != nil || !same([]byte(in), back) {
			t.Errorf("%s became %s and %s, error %v", in, there, back, err)
		}
	}
}

// TestEntries converts objects of two versions of which one has labels and annotations as fields.
func TestEntries(t *testing.T) {
	entry := func(of, key string) []Step {
		return []Step{{Key: "metadata"}, {Key: of, Optional: true}, {Key: key, Entry: true}}
	}
	number := []Transform{{Name: "integer", Bits: 32}}
	table := &Table{Group: "g", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{
			Kind: "K", Store: Annotation, Fields: []Field{
				{Older: "metadata", Hub: "metadata", Value: Value{Type: 3}}, {Older: "spec", Hub: "spec", Value: Value{Type: 2}},
			},
			Moves: []Move{
				{Older: entry("annotations", "g/text"), Hub: []Step{{Key: "spec", Optional: true}, {Key: "text"}}, HubOmits: true, Value: Value{Since: "v1", Until: "v1beta1"}, Until: "v1beta1"},
				{Older: entry("labels", "n"), Hub: []Step{{Key: "spec", Optional: true}, {Key: "n", Zero: []byte("0")}}, Value: Value{Transforms: number, Since: "v1", Until: "v1beta1"}, Until: "v1beta1"},
			},
		},
		{Fields: []Field{{Hub: "text"}, {Hub: "n"}}},
		{Fields: []Field{{Older: "annotations", Hub: "annotations", Value: Value{Type: 4}}, {Older: "labels", Hub: "labels", Value: Value{Type: 5}}}},
		{Fields: []Field{{Older: "g/text"}, {Hub: "g/text", Since: "v1"}}},
		{Fields: []Field{{Older: "n"}, {Hub: "n", Since: "v1"}}},
	}}
	c, err := New(Conversion{Table: table})
	if err != nil {
		t.Fatal(err)
	}
	object := func(version, rest string) string {
		return `{"kind":"K","apiVersion":"g/` + version + `"` + rest + `}`
	}
	other := map[string]string{"v1": "v1beta1", "v1beta1": "v1"}
	// there is "" where values are tracked. Each object comes back as it was, or as back says.
	for _, test := range []struct{ from, in, there, back string }{
		{"v1beta1", `,"metadata":{"name":"x","annotations":{"g/text":"a"}}`, `,"metadata":{"name":"x"},"spec":{"text":"a"}`, ``},
		{"v1beta1", `,"metadata":{"annotations":{"g/text":"a","other":"b"},"labels":{"n":"5"}}`, `,"metadata":{"annotations":{"other":"b"}},"spec":{"text":"a","n":5}`, ``},
		{"v1", `,"metadata":{},"spec":{"text":"-a","n":3}`, `,"metadata":{"annotations":{"g/text":"-a"},"labels":{"n":"3"}}`, `,"metadata":{},"spec":{"text":"-a","n":3}`},
		// API servers refuse the label -3.
		{"v1", `,"metadata":{"labels":{"x":"y"}},"spec":{"n":-3}`, ``, ``},
		{"v1", `,"spec":{"text":"a","n":-3}`, ``, ``},
		{"v1", `,"metadata":{"name":"x"}`, `,"metadata":{"name":"x"}`, ``},
		{"v1", `,"spec":{}`, `,"spec":{}`, ``},
		// An empty value is none where Go leaves it out, or writes it for none.
		{"v1", `,"spec":{"text":"","n":0,"z":1}`, `,"spec":{"z":1}`, `,"spec":{"z":1}`},
		{"v1", `,"spec":{"text":null,"n":null}`, `,"spec":{}`, `,"spec":{}`},
		{"v1beta1", `,"metadata":{"annotations":{"g/text":""}}`, ``, ``},
		{"v1beta1", `,"metadata":{"labels":{"n":"0"}}`, ``, ``},
		{"v1beta1", `,"metadata":{"labels":{"n":"0"}},"spec":{"z":1}`, ``, ``},
		{"v1beta1", `,"metadata":{"labels":{"n":"007"}}`, ``, ``},
		{"v1beta1", `,"metadata":{"labels":{"n":"7"}},"spec":{}`, ``, ``},
		// The newest version has labels and annotations with the keys, too, which mean nothing.
		{"v1", `,"metadata":{"annotations":{"g/text":"b"},"labels":{"n":"x"}},"spec":{"text":"a"}`, ``, ``},
		{"v1", `,"metadata":{"labels":{"n":"x","other":"y"}}`, ``, ``},
	} {
		in := object(test.from, test.in)
		there, err := c.Convert(nil, []byte(in), other[test.from])
		back, err2 := c.Convert(nil, there, test.from)
		if err := errors.Join(err, err2); err != nil {
			t.Errorf("%s: error %v", in, err)
			continue
		}
		if want := object(other[test.from], test.there); test.there != "" && !same(there, []byte(want)) {
			t.Errorf("%s became %s, want %s", in, there, want)
		}
		if want := object(test.from, cmp.Or(test.back, test.in)); !same(back, []byte(want)) {
			t.Errorf("%s became %s, and came back as %s, want %s", in, there, back, want)
		}
	}
	// An edit wins over tracked values.
	there, err := c.Convert(nil, []byte(object("v1beta1", `,"metadata":{"labels":{"n":"007"}}`)), "v1")
	if err != nil {
		t.Fatal(err)
	}
	back, err := c.Convert(nil, bytes.Replace(there, []byte(`"n":7`), []byte(`"n":8`), 1), "v1beta1")
	if want := object("v1beta1", `,"metadata":{"labels":{"n":"8"}}`); err != nil || !same(back, []byte(want)) {
		t.Errorf("the edit of %s became %s, error %v, want %s", there, back, err, want)
	}
	there, err = c.Convert(nil, []byte(object("v1", `,"metadata":{"name":"x"},"spec":{"n":-3}`)), "v1beta1")
	if err != nil {
		t.Fatal(err)
	}
	back, err = c.Convert(nil, bytes.Replace(there, []byte(`"metadata":{`), []byte(`"metadata":{"labels":{"n":"8"},`), 1), "v1")
	if want := object("v1", `,"metadata":{"name":"x"},"spec":{"n":8}`); err != nil || !same(back, []byte(want)) {
		t.Errorf("the edit of %s became %s, error %v, want %s", there, back, err, want)
	}
	for _, test := range [][3]string{
		{"v1beta1", `,"metadata":{"labels":{"n":"x"}}`, `$.metadata.labels.n: "x" is not an integer`},
		{"v1", `,"spec":{"text":5}`, `$.spec.text: 5 is not a string, as labels and annotations are`},
	} {
		if _, err = c.Convert(nil, []byte(object(test[0], test[1])), other[test[0]]); err == nil || err.Error() != test[2] {
			t.Errorf("error %v, want %s", err, test[2])
		}
	}
	_, err = c.Convert(nil, []byte(object("v1", `,"metadata":{"annotations":[]},"spec":{"text":"a"}`)), "v1beta1")
	if want := `$.metadata.annotations: spec.text is to be moved into it, and it is no object`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestEntryBetween converts an object whose field was an annotation only between two versions. That it had no
// spec is not restored where the spec has the field, and comes back by way of that version.
func TestEntryBetween(t *testing.T) {
	versions, spec := []string{"v1alpha1", "v1beta1", "v1"}, []Step{{Key: "spec"}, {Key: "floors"}}
	kind := func(fields []Field, moves ...Move) Type {
		return Type{Kind: "K", Store: Annotation, Moves: moves, Fields: append(fields, Field{Older: "spec", Hub: "spec", Value: Value{Type: 2}})}
	}
	first := &Table{Group: "g", Older: "v1alpha1", Hub: "v1", Versions: versions, Types: []Type{
		kind(nil), {Fields: []Field{{Older: "plan"}, {Hub: "floors"}}, Moves: []Move{{Older: []Step{{Key: "plan"}}, Hub: spec[1:], Since: "v1", Until: "v1beta1"}}},
	}}
	second := &Table{Group: "g", Older: "v1beta1", Hub: "v1", Versions: versions, Types: []Type{
		kind([]Field{{Older: "metadata", Hub: "metadata", Value: Value{Type: 3}}}, Move{
			Older: []Step{{Key: "metadata"}, {Key: "annotations", Optional: true}, {Key: "floors", Entry: true}}, Hub: spec,
			Value: Value{Since: "v1", Until: "v1beta1"}, Until: "v1beta1",
		}),
		{Fields: []Field{{Hub: "floors"}}},
		{Fields: []Field{{Older: "annotations", Hub: "annotations", Value: Value{Type: 4}}}},
		{Fields: []Field{{Older: "floors"}, {Hub: "floors", Since: "v1"}}},
	}}
	c, err := New(Conversion{Table: first}, Conversion{Table: second})
	if err != nil {
		t.Fatal(err)
	}
	in := []byte(`{"kind":"K","apiVersion":"g/v1beta1","metadata":{"annotations":{"floors":"a"}}}`)
	for version, want := range map[string]string{
		"v1alpha1": `{"kind":"K","apiVersion":"g/v1alpha1","metadata":{"annotations":{"versioned.g/changed-values":"{\"format\":1,\"downgrades\":{\"v1beta1\":[{\"jsonPath\":\"$.spec\",\"was\":{\"floors\":\"a\"}}]},\"keep\":\"metadata\"}"}},"spec":{"plan":"a"}}`,
		"v1beta1":  `{"kind":"K","apiVersion":"g/v1beta1","metadata":{"annotations":{"floors":"a"}}}`,
	} {
		hub, err := c.Convert(nil, in, "v1")
		got, err2 := c.Convert(nil, hub, version)
		back, err3 := c.Convert(nil, got, "v1beta1")
		if err := errors.Join(err, err2, err3); err != nil || !same(got, []byte(want)) || !same(back, in) {
			t.Errorf("%s became %s, want %s, and came back as %s, error %v", hub, got, want, back, err)
		}
	}
}
