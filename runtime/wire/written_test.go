package wire

import (
	"encoding/json"
	"strings"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// writtenPart and writtenThing are types of the older version.
type writtenPart struct {
	Text     string `json:"text,omitempty"`
	Required string `json:"required"`
}

type writtenThing struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   map[string]any `json:"metadata,omitempty"`
	Part       *writtenPart   `json:"part,omitempty"`
	Inner      writtenPart    `json:"inner,omitempty"`
}

// TestWritten converts objects to an older version, in which a Go client writes them again, and back. The client writes the zero
// value of a field that the newest version lacks, in a value that became a list, and in one that a hook changes. It leaves out
// other zero values. The programs have the types, or only what is known of them.
func TestWritten(t *testing.T) {
	join := func(value []byte) ([]byte, error) {
		objects := newNode(value, 0).items()
		after := newNode(objects[1].text, 0)
		inner := newNode([]byte(`{"text":"","required":""}`), 0)
		inner.set("text", newNode([]byte(strings.ToLower(string(objects[0].get("left").json()))), -1))
		after.set("inner", inner)
		return pair(objects[1].text, after.append(nil)), nil
	}
	split := func(value []byte) ([]byte, error) {
		objects := newNode(value, 0).items()
		after := newNode(objects[1].text, 0)
		after.set("left", newNode(objects[0].get("inner").get("text").json(), -1))
		return pair(objects[1].text, after.append(nil)), nil
	}
	table := func() *Table {
		return &Table{
			Older: "v1beta1", Hub: "v1", Versions: []string{"v1beta1", "v1"},
			Types: []Type{
				{
					Kind: "Thing", Store: Annotation, OlderFits: "older", OlderCheck: 4, Hooks: []Hook{{Up: "split", Down: "join", Since: "v1", Until: "v1beta1"}},
					Fields: []Field{
						{Older: "part", Hub: "parts", Value: Value{Wrap: &Value{Type: 2}, ListSince: "v1", Since: "v1", Until: "v1beta1", OlderFits: "part", OlderCheck: 2}},
						{Older: "inner", Hub: "inner", Value: Value{Type: 2}},
						{Hub: "left", Hooked: true},
					},
				},
				{Fields: []Field{{Older: "required", Until: "v1beta1", OlderZero: json.RawMessage(`""`)}}},
			},
			Checks: []Check{
				{Kind: CheckString},
				{Kind: CheckObject, Fields: map[string]int{"text": 1, "required": 1}, Zeros: map[string]json.RawMessage{"required": json.RawMessage(`""`)}},
				{},
				{Kind: CheckObject, Fields: map[string]int{"part": 2, "inner": 2}},
			},
		}
	}
	hooks := map[string]Func{"split": split, "join": join}
	types := map[string]Func{"split": split, "join": join, "older": Fits[writtenThing](), "part": Fits[*writtenPart]()}
	for name, funcs := range map[string]map[string]Func{"types": types, "checks": hooks} {
		c, err := New(Conversion{table(), funcs})
		if err != nil {
			t.Fatal(err)
		}
		for _, rest := range []string{
			`"parts":[{"text":"a"},{"text":"b"}],"inner":{"text":"q"},"left":"X"`,
			`"parts":[{},{}],"inner":{},"left":"x"`,
		} {
			object := `{"apiVersion":"v1","kind":"Thing",` + rest + `}`
			down, err := c.Convert(nil, []byte(object), "v1beta1")
			if err != nil {
				t.Fatal(err)
			}
			thing := writtenThing{}
			if err := utiljson.Unmarshal(down, &thing); err != nil {
				t.Fatal(err)
			}
			again, err := json.Marshal(thing)
			if err != nil {
				t.Fatal(err)
			}
			up, err := c.Convert(nil, again, "v1")
			if want := `{"metadata":{},` + object[1:]; err != nil || !sameExactly(string(up), object) && !sameExactly(string(up), want) {
				t.Errorf("%s: %s became %s by way of %s, as Go writes it: %v", name, object, up, again, err)
			}
		}
	}
}
