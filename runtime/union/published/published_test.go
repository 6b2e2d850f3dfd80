package published_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/runtime/union/published"
)

func TestUnions(t *testing.T) {
	const fields = `"d": {"type": "string"}, "a": {}, "b": {}`
	for name, c := range map[string]struct{ schema, want, err string }{
		"newer": {
			schema: `{"properties": {"a": {}, "b": {}, "d": {"enum": ["A", "B", ""], "x-kubernetes-unions": {"fieldMembers": {"A": {"name": "a", "optional": false}, "B": {"name": "b", "optional": true}, "": null}}}}}`,
			want:   `[{"discriminator":"d","members":[{"name":"a","value":"A"},{"name":"b","value":"B","optional":true}],"values":[{"value":""}]}]`,
		},
		"older": {
			schema: `{"properties": {` + fields + `}, "x-kubernetes-unions": [{"discriminator": "d", "fields-to-discriminateBy": {"a": "A", "b": "B"}}]}`,
			want:   `[{"algorithm":"older","discriminator":"d","members":[{"name":"a","value":"A","optional":true},{"name":"b","value":"B","optional":true}],"open":true,"zeroOrOne":true}]`,
		},
		"older without discriminator": {
			schema: `{"properties": {` + fields + `}, "x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": "A"}}]}`,
			want:   `[{"algorithm":"older","members":[{"name":"a","value":"A","optional":true}],"open":true,"zeroOrOne":true}]`,
		},
		"members": {
			schema: `{"properties": {` + fields + `}, "x-kubernetes-unions": {"discriminator": "d", "members": [{"fieldName": "a", "discriminatorValue": "A"}, {"fieldName": "b"}]}}`,
			want:   `[{"discriminator":"d","members":[{"name":"a","value":"A"},{"name":"b","value":"b"}],"open":true}]`,
		},
		"none":              {schema: `{"properties": {"u": {"x-kubernetes-unions": [{}]}}}`, want: `null`},
		"no such field":     {schema: `{"x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": "A"}}]}`, err: `no property "a"`},
		"another form":      {schema: `{"x-kubernetes-unions": [{"oneOf": []}]}`, err: "x-kubernetes-unions[0]: neither"},
		"no name":           {schema: `{"properties": {"d": {"x-kubernetes-unions": {"fieldMembers": {"A": {}}}}}}`, err: "properties.d.x-kubernetes-unions: fieldMembers.A has no name"},
		"no fieldMembers":   {schema: `{"properties": {"d": {"x-kubernetes-unions": true}}}`, err: "fieldMembers is missing"},
		"value is a number": {schema: `{"x-kubernetes-unions": [{"fields-to-discriminateBy": {"a": 1}}]}`, err: "fields-to-discriminateBy.a is not a string"},
		"no fieldName":      {schema: `{"x-kubernetes-unions": [{"members": [{}]}]}`, err: "members[0] has no fieldName"},
	} {
		t.Run(name, func(t *testing.T) {
			var schema map[string]any
			if err := json.Unmarshal([]byte(c.schema), &schema); err != nil {
				t.Fatal(err)
			}
			unions, err := published.Unions(schema)
			if err != nil || c.err != "" {
				if err == nil || c.err == "" || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("got error %v, want %q", err, c.err)
				}
				return
			}
			if got, _ := json.Marshal(unions); string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestShape(t *testing.T) {
	const union = `"a": {}, "d": {"enum": ["A"], "x-kubernetes-unions": {"fieldMembers": {"A": {"name": "a"}}}}`
	definitions := map[string]any{}
	if err := json.Unmarshal([]byte(`{
		"Plain": {"properties": {"x": {}, "again": {"$ref": "#/definitions/Plain"}}},
		"Union": {"properties": {`+union+`}},
		"Tree": {"properties": {`+union+`, "children": {"additionalProperties": {"$ref": "#/components/schemas/Tree"}}}},
		"Item": {"properties": {"name": {}, "zone": {"default": "z"}, `+union+`}},
		"Broken": {"properties": {"d": {"x-kubernetes-unions": true}}}
	}`), &definitions); err != nil {
		t.Fatal(err)
	}
	const members = `"Unions":[{"discriminator":"d","members":[{"name":"a","value":"A"}]}]`
	for name, c := range map[string]struct{ schema, want, err string }{
		"none":       {schema: `{"properties": {"x": {"items": {"$ref": "#/definitions/Plain"}}}}`, want: `null`},
		"own":        {schema: `{"properties": {` + union + `}}`, want: `{` + members + `}`},
		"fields":     {schema: `{"properties": {"x": {}, "u": {"allOf": [{"$ref": "#/definitions/Union"}], "default": {}}}}`, want: `{"Fields":[{"Name":"u","Shape":{"Also":[{` + members + `}]}}]}`},
		"map":        {schema: `{"additionalProperties": {"$ref": "#/definitions/Union"}}`, want: `{"Elem":{` + members + `}}`},
		"list":       {schema: `{"items": {"$ref": "#/definitions/Union"}}`, want: `{"Elem":{` + members + `}}`},
		"keyed list": {schema: `{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "zone"], "items": {"$ref": "#/definitions/Item"}}`, want: `{"Elem":{` + members + `},"Keys":[{"Name":"name"},{"Name":"zone","Zero":"z"}]}`},
		"undefined":  {schema: `{"properties": {"u": {"$ref": "#/definitions/Missing"}}}`, err: "properties.u: Missing is not defined"},
		"broken":     {schema: `{"items": {"$ref": "#/definitions/Broken"}}`, err: "items: Broken: properties.d.x-kubernetes-unions: fieldMembers is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			var schema map[string]any
			if err := json.Unmarshal([]byte(c.schema), &schema); err != nil {
				t.Fatal(err)
			}
			shape, err := published.Shape(schema, definitions)
			if err != nil || c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Fatalf("got error %v, want %q", err, c.err)
				}
				return
			}
			if got, _ := json.Marshal(shape); compact(string(got)) != c.want {
				t.Errorf("got  %s\nwant %s", compact(string(got)), c.want)
			}
		})
	}
	tree, err := published.Shape(map[string]any{"$ref": "#/definitions/Tree"}, definitions)
	if err != nil || tree.Fields[0].Shape.Elem != tree {
		t.Errorf("got %v, %v; want a shape that refers to itself", tree, err)
	}
}

// compact removes the fields of shapes that are not set.
func compact(text string) string {
	for _, unset := range []string{`"Unions":null`, `"Also":null`, `"Inlined":null`, `"Fields":null`, `"Elem":null`, `"Keys":null`, `"Items":null`, `"Zero":null`} {
		text = strings.ReplaceAll(strings.ReplaceAll(text, ","+unset, ""), unset+",", "")
	}
	return text
}
