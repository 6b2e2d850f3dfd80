// Package structural does to JSON objects what an API server does to custom resources before it
// validates them: it removes unknown fields, removes nulls and sets defaults, by the schema of a
// CustomResourceDefinition. It is for programs without the Go types of the objects. It needs no
// server packages, and does not allocate for objects that it does not change.
//
//	schema, err := structural.Parse(crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Raw)
//	…
//	schema.PruneResource(object)
//	schema.Default(object)
//
// Objects are decoded JSON as in unstructured.Unstructured: map[string]any, []any, string, int64,
// float64, bool and nil. All functions change objects in place. A Schema does not change after
// Parse, so any number of goroutines may use it.
package structural

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/json"
)

// Schema is a structural schema: the part of an OpenAPI schema that gives the shape of values. Its
// methods also accept nil, which is a value without a schema.
type Schema struct {
	// def is the default, nil for none.
	def        any
	nullable   bool
	properties map[string]*Schema
	// defaulted are the properties with a default, by name.
	defaulted []property
	// open is set if the schema has additionalProperties; values is their schema, if any.
	open   bool
	values *Schema
	items  *Schema
	// preserve keeps unknown fields; embedded marks a complete object with its type and metadata.
	preserve, embedded bool
	// listType is "set", "map" or another type without rules; keys are those of a "map".
	listType string
	keys     []string
	required []string
}

type property struct {
	name   string
	schema *Schema
}

// document is the JSON of a schema.
type document struct {
	Default              any                  `json:"default"`
	Nullable             bool                 `json:"nullable"`
	Properties           map[string]*document `json:"properties"`
	AdditionalProperties *schemaOrBool        `json:"additionalProperties"`
	Items                *document            `json:"items"`
	Preserve             bool                 `json:"x-kubernetes-preserve-unknown-fields"`
	Embedded             bool                 `json:"x-kubernetes-embedded-resource"`
	ListType             string               `json:"x-kubernetes-list-type"`
	ListKeys             []string             `json:"x-kubernetes-list-map-keys"`
	Required             []string             `json:"required"`
}

type schemaOrBool struct{ schema *document }

// UnmarshalJSON reads a schema, true or false.
func (s *schemaOrBool) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		return json.Unmarshal(text, &s.schema)
	}
	var allowed bool
	return json.Unmarshal(text, &allowed)
}

// Parse reads an OpenAPI schema from JSON, as in the field openAPIV3Schema of a version of a
// CustomResourceDefinition. It ignores keywords that only validate values, except for the keys of
// lists. It does not check that a server would accept the schema.
func Parse(text []byte) (*Schema, error) {
	var d *document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	return d.compile(), nil
}

func (d *document) compile() *Schema {
	if d == nil {
		return nil
	}
	s := &Schema{
		def: d.Default, nullable: d.Nullable, items: d.Items.compile(), open: d.AdditionalProperties != nil,
		preserve: d.Preserve, embedded: d.Embedded, listType: d.ListType, keys: d.ListKeys, required: d.Required,
	}
	if s.open {
		s.values = d.AdditionalProperties.schema.compile()
	}
	if len(d.Properties) > 0 {
		s.properties = make(map[string]*Schema, len(d.Properties))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Properties)) {
		p := d.Properties[name].compile()
		s.properties[name] = p
		if p != nil && p.def != nil {
			s.defaulted = append(s.defaulted, property{name, p})
		}
	}
	return s
}

// child returns the schema of the value of a key, nil if it has none.
func (s *Schema) child(key string) *Schema {
	if p, ok := s.properties[key]; ok {
		return p
	}
	return s.values
}
