package wire

import (
	"encoding/json"
	"testing"
)

// TestSpellingOfDefaults converts values that equal the default of a field that the other version lacks. Those that are
// spelled like it are not tracked, and all come back as they were spelled.
func TestSpellingOfDefaults(t *testing.T) {
	for _, test := range []struct {
		filled, value string
		tracked       bool
	}{
		{`0`, `0`, false},
		{`0`, `-0`, true},
		{`1.5`, `1.50`, true},
		{`100`, `1e2`, true},
		{`[1,{"a":"b"}]`, `[1, {"a":"\u0062"}]`, false},
		{`{"a":{"b":1},"c":[0]}`, `{"c":[0],"a":{"b":1}}`, false},
		{`{"a":{"b":1},"c":[0]}`, `{"a":{"b":1},"c":[-0]}`, true},
	} {
		c, err := New(Conversion{Table: &Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
			{Kind: "Shop", Store: Status, Fields: []Field{{Hub: "limit", Fill: json.RawMessage(test.filled), Since: "v1"}}},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		in := shop("v1", `,"limit":`+test.value)
		there := convertTo(t, c, in, "v1beta1")
		if tracked := !same(there, shop("v1beta1", "")); tracked != test.tracked {
			t.Errorf("%s, the default is %s: tracked %t, want %t: %s", test.value, test.filled, tracked, test.tracked, there)
		}
		back := newNode(convertTo(t, c, there, "v1"), 0).get("limit")
		if want := []byte(test.value); !comesBack(want, back.text, false) {
			t.Errorf("%s, the default is %s: comes back as %s", want, test.filled, back.text)
		}
	}
}

// TestFilledLeftOut fills in what functions return, unless it is what Go leaves out: then neither JSON nor Go objects have the
// field, and it is not tracked that they lack it.
func TestFilledLeftOut(t *testing.T) {
	for _, test := range []struct {
		name, result, zero string
		omits, filled      bool
	}{
		{name: "a zero struct", result: `{"size":0}`, zero: `{"size":0}`, omits: true},
		{name: "another struct", result: `{"size":1}`, zero: `{"size":0}`, omits: true, filled: true},
		{name: "an empty string", result: `""`, omits: true},
		{name: "nil", result: `null`, omits: true},
		{name: "a text", result: `"a"`, omits: true, filled: true},
		{name: "a zero struct that Go writes", result: `{}`, filled: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			field := Field{Hub: "x", Since: "v1", FillFunc: "X", HubOmits: test.omits}
			if test.zero != "" {
				field.HubZero = json.RawMessage(test.zero)
			}
			c, err := New(Conversion{&Table{Group: "shop.example.com", Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"}, Types: []Type{
				{Kind: "Shop", Store: Annotation, Fields: []Field{field}},
			}}, map[string]Func{"X": func([]byte) ([]byte, error) { return []byte(test.result), nil }}})
			if err != nil {
				t.Fatal(err)
			}
			want := ""
			if test.filled {
				want = test.result
			}
			if got := string(newNode(convertTo(t, c, shop("v1beta1", ""), "v1"), 0).get("x").json()); got != want {
				t.Errorf("filled in %s, want %s", got, want)
			}
			for text, tracked := range map[string]bool{``: test.filled, `,"x":` + test.result: !test.filled, `,"x":{"size":2}`: true} {
				there := newNode(convertTo(t, c, shop("v1", text), "v1beta1"), 0)
				if got := there.get("metadata") != nil; got != tracked {
					t.Errorf("%q: tracked %t, want %t: %s", text, got, tracked, there.text)
				}
				if back := convertTo(t, c, there.append(nil), "v1"); !same(newNode(back, 0).get("x").json(), newNode(shop("v1", text), 0).get("x").json()) {
					t.Errorf("%q came back as %s", text, back)
				}
			}
		})
	}
}
