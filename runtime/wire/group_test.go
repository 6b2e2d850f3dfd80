package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// groupTable is the table of a kind with values that a split and functions lose together.
func groupTable() Conversion {
	type before struct {
		Text string `json:"text,omitempty"`
		Size int32  `json:"size,omitempty"`
	}
	type after struct {
		Left string `json:"left,omitempty"`
		Note string `json:"note,omitempty"`
	}
	hooked := func(older, hub, fits string) Field { return Field{Older: older, Hub: hub, Hooked: true, Fits: fits} }
	parts := []Part{{Key: "a"}, {Text: ":"}, {Key: "b"}, {Text: ":"}, {Key: "c", Transform: &Transform{Name: "integer", Bits: 32}}}
	return Conversion{&Table{Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
		{Kind: "K", Store: Annotation, Fields: []Field{{Older: "spec", Hub: "spec", Value: Value{Type: 2}}}},
		{Fields: []Field{{Older: "list", Hub: "list", Value: Value{Each: &Value{Type: 3}}}}},
		{Fields: []Field{
			hooked("a", "", "Text"), hooked("b", "", "Text"), hooked("c", "", "Number"), hooked("", "whole", "Text"),
			hooked("text", "", "Text"), hooked("size", "", "Number"), hooked("", "left", "Text"), hooked("", "note", "Text"),
		}, Hooks: []Hook{
			{Split: &Split{Whole: "whole", Pattern: parts, Joined: true}, Since: "v1", Until: "v1beta1"},
			{Up: "up", Down: "down", Since: "v1", Until: "v1beta1"},
		}},
	}}, map[string]Func{
		"Text": Fits[string](), "Number": Fits[int32](),
		"up":   Hooked(func(in *before, out *after) error { out.Left = strings.Trim(in.Text, "/"); return nil }),
		"down": Hooked(func(in *after, out *before) error { out.Text = in.Left; return nil }),
	}}
}

// TestTogether changes what a version shows of values that are lost together, or the tracked values: all of them come back,
// or none.
func TestTogether(t *testing.T) {
	c, err := New(groupTable())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		from, in string
		// shown is what the other version shows, and path that of the tracked value.
		shown, path string
		// edits are what clients make of what is shown, and damages of the tracked value.
		edits, damages []string
	}{
		{
			"v1beta1", `{"a":"x","b":"y:z","c":1}`, `{"whole":"x:y:z:1"}`, `$.spec.list[0]['a','b']`,
			[]string{`{"whole":"x:y:z:2"}`, `{}`, `{"whole":null}`, `{"whole":""}`},
			[]string{`{"a":1,"b":"y:z"}`, `{"a":"x","b":7}`, `[]`, `"x"`, `{"a":"x","b":"y:z","c":2}`, `{"forged":{}}`, `null`},
		},
		{
			"v1beta1", `{"text":"/x/","size":3}`, `{"left":"x"}`, `$.spec.list[0]['text','size']`,
			[]string{`{"left":"y"}`, `{}`, `{"left":"x","note":"n"}`},
			[]string{`{"text":7,"size":3}`, `{"text":"/x/","size":"3"}`, `{"text":"/x/","size":3,"more":1}`, `7`},
		},
		{ // functions and splits apart, and functions that write nothing
			"v1beta1", `{"a":"x","b":"y:z","c":1,"text":"/","size":3}`, `{"whole":"x:y:z:1"}`, `$.spec.list[0]['text','size']`,
			[]string{`{"whole":"x","left":"y"}`, `{"whole":"x","note":"n"}`}, nil,
		},
		{"v1", `{"left":"x","note":"n"}`, `{"text":"x"}`, `$.spec.list[0].note`, []string{`{"text":"y"}`, `{}`}, []string{`1`, `{}`}},
	} {
		to := map[string]string{"v1beta1": "v1", "v1": "v1beta1"}[test.from]
		object := func(version, item string) []byte {
			return []byte(`{"kind":"K","apiVersion":"` + version + `","spec":{"list":[` + item + `]}}`)
		}
		there := convertTo(t, c, object(test.from, test.in), to)
		item := newNode(there, 0).get("spec").get("list").item(0).text
		if !same(item, []byte(test.shown)) || !bytes.Contains(there, []byte(test.path)) {
			t.Errorf("%s became %s", test.in, there)
		}
		if back := convertTo(t, c, there, test.from); !same(back, object(test.from, test.in)) {
			t.Errorf("%s came back as %s", test.in, back)
		}
		for _, edit := range test.edits {
			edited := bytes.Replace(there, item, []byte(edit), 1)
			if got, want := convertTo(t, c, edited, test.from), convertTo(t, c, object(to, edit), test.from); !same(got, want) {
				t.Errorf("%s edited to %s came back as %s, want %s", test.in, edit, got, want)
			}
		}
		for _, damage := range test.damages {
			damaged := newNode(there, 0)
			annotations := damaged.get("metadata").get("annotations")
			values := newNode([]byte(text(annotations.get("versioned/changed-values").text)), 0)
			direction, version := "downgrades", "v1beta1"
			if test.from == "v1" {
				direction, version = "upgrades", "v1"
			}
			values.get(direction).get(version).item(0).set("value", newNode([]byte(damage), -1))
			annotations.set("versioned/changed-values", newNode([]byte(quote(string(values.append(nil)))), -1))
			if !json.Valid(damaged.append(nil)) || same(damaged.append(nil), there) {
				t.Fatalf("damaged to %s", damaged.append(nil))
			}
			if got, want := convertTo(t, c, damaged.append(nil), test.from), convertTo(t, c, object(to, test.shown), test.from); !same(got, want) {
				t.Errorf("%s damaged to %s came back as %s, want %s", test.in, damage, got, want)
			}
		}
	}
}
