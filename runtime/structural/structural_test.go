package structural_test

import (
	"encoding/json"
	"fmt"
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

// TestKeyedLists tests what configurations for server-side apply need: nulls, partial keys, and the
// empty keys of Go types.
func TestKeyedLists(t *testing.T) {
	schema := parse(t, `{"properties":{"any":{"additionalProperties":{"properties":{"ports":{"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port","protocol","zone"],"items":{
		"required":["port","protocol"],"properties":{"port":{},"protocol":{"default":"TCP"},"zone":{},"note":{"nullable":true,"default":"n"},"text":{"default":"t"}}}}}}}}}`)
	for _, c := range []struct{ items, nulls, empty, errs string }{
		{`{"port":1}`, `{"port":1}`, `{"port":1}`, ""},
		{`{"port":1,"protocol":null,"note":null,"text":null}`, `{"note":null,"port":1}`, `{"note":null,"port":1,"protocol":null,"text":null}`, ""},
		{`{"port":1,"protocol":"","zone":"","text":""}`, `{"port":1,"protocol":"","text":"","zone":""}`, `{"port":1,"text":"","zone":""}`, ""},
		{`{"protocol":"UDP"}`, `{"protocol":"UDP"}`, `{"protocol":"UDP"}`, `[any[k].ports[1].port: Required value: is a key of the list: without it, the item cannot be found]`},
		{`{"port":null}`, `{}`, `{"port":null}`, `[any[k].ports[1].port: Required value: is a key of the list: without it, the item cannot be found]`},
		{`null`, `null`, `null`, ""},
	} {
		wrap := func(item string) string { return `{"any":{"k":{"ports":[{"port":0},` + item + `]}}}` }
		nulls, empty := object(t, wrap(c.items)), object(t, wrap(c.items))
		schema.OmitNulls(nulls)
		schema.OmitEmptyKeys(empty)
		for _, got := range []struct {
			object map[string]any
			want   string
		}{{nulls, c.nulls}, {empty, c.empty}} {
			if text, err := json.Marshal(got.object); err != nil || string(text) != wrap(got.want) {
				t.Errorf("%s becomes %s (%v), want %s", c.items, text, err, wrap(got.want))
			}
		}
		errs := ""
		if list := schema.CheckKeys(nil, object(t, wrap(c.items))); len(list) > 0 {
			errs = fmt.Sprint(list)
		}
		if errs != c.errs {
			t.Errorf("%s: got %s, want %s", c.items, errs, c.errs)
		}
	}
}

// TestReferences sets defaults by schemas that refer to each other.
func TestReferences(t *testing.T) {
	definitions := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(`{
		"Tree": {"properties": {"size": {"default": 1}, "left": {"$ref": "#/definitions/Tree"}, "any": {"type": "object"},
			"leaf": {"default": {}, "allOf": [{"$ref": "#/components/schemas/Leaf"}]}, "bare": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Leaf"}]}}},
		"Leaf": {"properties": {"name": {"default": "x"}}},
		"Broken": {"properties": {"a": {"$ref": "#/definitions/Lost"}}}}`), &definitions); err != nil {
		t.Fatal(err)
	}
	schema, err := structural.ParseWith([]byte(`{"$ref": "#/definitions/Tree"}`), definitions)
	if err != nil {
		t.Fatal(err)
	}
	got := object(t, `{"left":{"left":{"leaf":{}}},"any":{"kept":1},"bare":null,"unknown":1}`)
	unknown := schema.Prune(got)
	schema.Default(got)
	const want = `{"any":{"kept":1},"bare":null,"leaf":{"name":"x"},"left":{"leaf":{"name":"x"},"left":{"leaf":{"name":"x"},"size":1},"size":1},"size":1}`
	if text, err := json.Marshal(got); err != nil || string(text) != want || len(unknown) != 1 {
		t.Errorf("got %s (%v) without %v, want %s", text, err, unknown, want)
	}
	if _, err := structural.ParseWith([]byte(`{"items": {"$ref": "#/definitions/Broken"}}`), definitions); err == nil || err.Error() != "#/definitions/Lost is not defined" {
		t.Errorf("got %v", err)
	}
}
