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
