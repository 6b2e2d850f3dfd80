package structural_test

import (
	"encoding/json"
	"testing"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kindsmith/kindsmith/runtime/structural"
)

// The tests of conformance/defaults compare the package with an API server's code.

func parse(t testing.TB, text string) *structural.Schema {
	t.Helper()
	s, err := structural.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := utiljson.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNulls tests null in each kind of place, with and without a default, and nullable or not.
func TestNulls(t *testing.T) {
	for _, c := range []struct{ place, schema, in, none, nullable, def, both string }{
		{"property", `{"properties":{"a":%}}`, `{"a":null}`, `{}`, `{"a":null}`, `{"a":"x"}`, `{"a":null}`},
		{"map value", `{"additionalProperties":%}`, `{"a":null}`, `{}`, `{"a":null}`, `{"a":"x"}`, `{"a":null}`},
		{"item", `{"properties":{"l":{"items":%}}}`, `{"l":[null]}`, `{"l":[null]}`, `{"l":[null]}`, `{"l":["x"]}`, `{"l":[null]}`},
		{"no schema", `{"x-kubernetes-preserve-unknown-fields":true}`, `{"a":null}`, `{"a":null}`, `{"a":null}`, `{"a":null}`, `{"a":null}`},
		{"zero values", `{"properties":{"a":%,"b":%,"c":%,"d":%}}`, `{"a":"","b":0,"c":[],"d":{}}`,
			`{"a":"","b":0,"c":[],"d":{}}`, `{"a":"","b":0,"c":[],"d":{}}`, `{"a":"","b":0,"c":[],"d":{}}`, `{"a":"","b":0,"c":[],"d":{}}`},
	} {
		for value, want := range map[string]string{`{}`: c.none, `{"nullable":true}`: c.nullable, `{"default":"x"}`: c.def, `{"default":"x","nullable":true}`: c.both} {
			got := object(t, c.in)
			parse(t, replace(c.schema, value)).Default(got)
			if text, err := json.Marshal(got); err != nil || string(text) != want {
				t.Errorf("%s with %s: %s becomes %s (%v), want %s", c.place, value, c.in, text, err, want)
			}
		}
	}
}

func replace(schema, value string) string {
	var out []byte
	for _, c := range []byte(schema) {
		if c == '%' {
			out = append(out, value...)
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

const pods = `{"properties":{"metadata":{},"spec":{"default":{},"properties":{
	"name":{"default":"x"},
	"ports":{"items":{"default":{},"properties":{"port":{"default":80},"protocol":{"default":"TCP"}}}},
	"labels":{"additionalProperties":{"default":"none"}}}}}}`

func TestDefaultsAreFreshAndComplete(t *testing.T) {
	schema := parse(t, pods)
	first, second := map[string]any{}, object(t, `{"spec":{"ports":[null,{"port":1}],"labels":{"a":null}}}`)
	schema.Default(first)
	first["spec"].(map[string]any)["name"] = "changed"
	schema.Default(second)
	text, err := json.Marshal(second)
	want := `{"spec":{"labels":{"a":"none"},"name":"x","ports":[{"port":80,"protocol":"TCP"},{"port":1,"protocol":"TCP"}]}}`
	if err != nil || string(text) != want {
		t.Errorf("got %s (%v), want %s", text, err, want)
	}
	third := map[string]any{}
	schema.Default(third)
	if name := third["spec"].(map[string]any)["name"]; name != "x" {
		t.Errorf("a change to one object's default shows in another: %v", name)
	}
}

func TestUnchangedObjectsAllocateNothing(t *testing.T) {
	schema := parse(t, pods)
	o := object(t, `{"metadata":{"name":"a"},"spec":{"ports":[null,{"port":1}],"labels":{"a":null}}}`)
	schema.Default(o)
	if n := testing.AllocsPerRun(20, func() {
		schema.Default(o)
		if unknown := schema.PruneResource(o); unknown != nil {
			t.Error(unknown)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNotASchema(t *testing.T) {
	for _, text := range []string{`[]`, `{"properties":[]}`, `{`, `{"additionalProperties":1}`} {
		if _, err := structural.Parse([]byte(text)); err == nil {
			t.Errorf("%s is read as a schema", text)
		}
	}
}
