package ruletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

func value(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestChanges(t *testing.T) {
	assign := func(v any, path []segment) (any, error) { return set(v, path, "new") }
	for _, c := range []struct {
		name            string
		do              func(any, []segment) (any, error)
		from, path      string
		want, wantError string
	}{
		{name: "a field", do: assign, from: "a: 1", path: "a", want: "a: new"},
		{name: "a field that is not there", do: assign, from: "a: 1", path: "b.c", want: "{a: 1, b: {c: new}}"},
		{name: "an item", do: assign, from: "a: [{b: 1}, {b: 2}]", path: "a[1].b", want: "a: [{b: 1}, {b: new}]"},
		{name: "one more item", do: assign, from: "a: [x]", path: "a[1]", want: "a: [x, new]"},
		{name: "the first item of a list that is not there", do: assign, from: "{}", path: "a[0].b", want: "a: [{b: new}]"},
		{name: "an item too far", do: assign, from: "a: [x]", path: "a[2]", wantError: "item 2 does not exist: the list has 1"},
		{name: "a key with dots", do: assign, from: "{}", path: `a["b.c/d"].e`, want: "a: {b.c/d: {e: new}}"},
		{name: "a key without quotes", do: assign, from: "{}", path: `a[b.c/d]`, want: "a: {b.c/d: new}"},
		{name: "a key that looks like an index", do: assign, from: "a: {x: 1}", path: `a[0]`, want: `a: {x: 1, "0": new}`},
		{name: "below a text", do: assign, from: "a: x", path: "a.b", wantError: `"b" is below a value that is neither an object nor a list`},
		{name: "a name in a list", do: assign, from: "a: [x]", path: "a.b", wantError: `"b" is not a list index`},
		{name: "remove a field", do: unset, from: "{a: 1, b: 2}", path: "a", want: "b: 2"},
		{name: "remove an item", do: unset, from: "a: [x, y, z]", path: "a[1]", want: "a: [x, z]"},
		{name: "remove within an item", do: unset, from: "a: [{b: 1, c: 2}]", path: "a[0].b", want: "a: [{c: 2}]"},
		{name: "remove what is not there", do: unset, from: "a: {}", path: "a.b", wantError: `field "b" does not exist`},
		{name: "remove an item that is not there", do: unset, from: "a: []", path: "a[0]", wantError: "item 0 does not exist: the list has 0"},
		{name: "remove below a number", do: unset, from: "a: 1", path: "a.b", wantError: `field "b" does not exist`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path, err := parsePath(c.path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.do(value(t, c.from), path)
			if err != nil || c.wantError != "" {
				if err == nil || err.Error() != c.wantError {
					t.Fatalf("error %v, want %q", err, c.wantError)
				}
				return
			}
			if diff := cmp.Diff(value(t, c.want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBadPaths(t *testing.T) {
	for _, path := range []string{"", ".a", "a.", "a..b", "a.[0]", "a[0", `a["b]`, "a[0]b"} {
		if got, err := parsePath(path); err == nil {
			t.Errorf("%q is read as %v", path, got)
		}
	}
}

// TestMerge has the examples of RFC 7386, appendix A.
func TestMerge(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
	} {
		if diff := cmp.Diff(value(t, c[2]), merge(value(t, c[0]), value(t, c[1]))); diff != "" {
			t.Errorf("%s with %s: -want +got:\n%s", c[0], c[1], diff)
		}
	}
}

func TestCanonical(t *testing.T) {
	for path, want := range map[string]string{
		"spec.a[0].b":        "spec.a[0].b",
		"metadata.labels[x]": "metadata.labels.x",
		"[3]":                "[3]",
		"":                   "",
		"a..b":               "a..b",
	} {
		if got := canonical(path); got != want {
			t.Errorf("%q is %q, want %q", path, got, want)
		}
	}
}
