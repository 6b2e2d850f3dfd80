package wire

import (
	"encoding/json"
	"testing"
)

// TestZeros compares what programs with a type and without it take for a value as Go writes it.
func TestZeros(t *testing.T) {
	type inner struct {
		List []string `json:"list"`
		Text string   `json:"text,omitempty"`
	}
	type outer struct {
		Size  int32            `json:"size"`
		Inner inner            `json:"inner"`
		Items []inner          `json:"items,omitempty"`
		Map   map[string]inner `json:"map,omitempty"`
	}
	table := &Table{Checks: []Check{
		{Kind: CheckObject, Fields: map[string]int{"inner": 2, "items": 3, "map": 4}, Zeros: map[string]json.RawMessage{"size": []byte(`0`), "inner": []byte(`{"list":null}`)}},
		{Kind: CheckObject, Zeros: map[string]json.RawMessage{"list": []byte(`null`)}},
		{Kind: CheckList, Elem: 2},
		{Kind: CheckMap, Elem: 2},
	}}
	for _, c := range []struct{ value, want string }{
		{`{}`, `{"inner":{"list":null},"size":0}`},
		{`{"unknown":1,"inner":null,"size":2}`, `{"unknown":1,"inner":{"list":null},"size":2}`},
		{`{"size":1,"inner":{"text":""}}`, `{"size":1,"inner":{"text":"","list":null}}`},
		{`{"size":1,"inner":{"list":["a"]},"items":[{},{"list":[]}],"map":{"a":{}}}`, `{"size":1,"inner":{"list":["a"]},"items":[{"list":null},{"list":[]}],"map":{"a":{"list":null}}}`},
		{`null`, ``},
	} {
		for _, fits := range []Func{Fits[outer](), table.checks(1)} {
			f := formerField{field: &field{def: &Field{}, fits: fits}}
			got := string(f.was(newNode([]byte(c.value), 0)))
			if c.want == "" && got != "" || c.want != "" && !sameExactly(got, c.want) {
				t.Errorf("%s is shown as %s, want %s", c.value, got, c.want)
			}
		}
	}
}

// sameExactly compares JSON; null differs from absent.
func sameExactly(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	x1, _ := json.Marshal(x)
	y1, _ := json.Marshal(y)
	return string(x1) == string(y1)
}
