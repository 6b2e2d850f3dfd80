// Package structural does to JSON objects what an API server does to custom resources before it validates them: it removes
// unknown fields, removes nulls and sets defaults, by the schema of a CustomResourceDefinition. It is for programs without the Go
// types of the objects. It needs no server packages, and does not allocate for objects that it does not change.
//
//	schema, err := structural.Parse(crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Raw)
//	…
//	schema.PruneResource(object)
//	schema.Default(object)
//
// [Parse] fails if the text is not a schema; [ParseWith] also takes definitions that the schema refers to. The methods of a
// [Schema] cannot fail.
//
// Objects are decoded JSON as in unstructured.Unstructured: map[string]any, []any, string, int64, float64, bool and nil. All
// functions change objects in place. A Schema does not change after Parse, so any number of goroutines may use it.
package structural

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"
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
	Ref                  string               `json:"$ref"`
	AllOf                []*document          `json:"allOf"`
}

type schemaOrBool struct{ schema *document }

// UnmarshalJSON reads a schema, true or false.
func (s *schemaOrBool) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("{")) {
		return utiljson.Unmarshal(text, &s.schema)
	}
	var allowed bool
	return utiljson.Unmarshal(text, &allowed)
}

// Parse reads an OpenAPI schema from JSON, as in the field openAPIV3Schema of a version of a
// CustomResourceDefinition. It ignores keywords that only validate values, except for the keys of
// lists. It does not check that a server would accept the schema.
func Parse(text []byte) (*Schema, error) { return ParseWith(text, nil) }

// ParseWith is Parse for a schema that refers to others, as in the OpenAPI documents of servers.
// definitions has these by the last part of their references. In such documents, objects without
// properties may have any fields.
func ParseWith(text []byte, definitions map[string]json.RawMessage) (*Schema, error) {
	var d *document
	if err := utiljson.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read schema: %w", err)
	}
	r := &reader{definitions: definitions, known: map[string]*Schema{}}
	s := r.schema(d)
	return s, r.err
}

// reader reads schemas that may refer to each other.
type reader struct {
	definitions map[string]json.RawMessage
	// known are the schemas of references, by the name and the default that the reference sets.
	known map[string]*Schema
	err   error
}

func (r *reader) schema(d *document) *Schema {
	if d == nil {
		return nil
	}
	s, ref := &Schema{}, d.Ref
	if ref == "" && len(d.AllOf) == 1 {
		ref = d.AllOf[0].Ref
	}
	if ref == "" || r.definitions == nil {
		r.fill(s, d)
		return s
	}
	key := fmt.Sprintf("%s %v %#v", path.Base(ref), d.Nullable, d.Default)
	if known := r.known[key]; known != nil {
		return known
	}
	r.known[key] = s // for references in itself
	target := &document{}
	if text := r.definitions[path.Base(ref)]; text == nil {
		r.err = fmt.Errorf("%s is not defined", ref)
	} else if err := utiljson.Unmarshal(text, target); err != nil {
		r.err = fmt.Errorf("read %s: %w", ref, err)
	}
	if d.Default != nil {
		target.Default = d.Default
	}
	target.Nullable = target.Nullable || d.Nullable
	r.fill(s, target)
	return s
}

func (r *reader) fill(s *Schema, d *document) {
	s.def, s.nullable, s.preserve, s.embedded = d.Default, d.Nullable, d.Preserve, d.Embedded
	s.listType, s.keys, s.required = d.ListType, d.ListKeys, d.Required
	s.items = r.schema(d.Items)
	if s.open = d.AdditionalProperties != nil; s.open {
		s.values = r.schema(d.AdditionalProperties.schema)
	}
	if r.definitions != nil && len(d.Properties) == 0 && !s.open {
		s.preserve = true
	}
	if len(d.Properties) > 0 {
		s.properties = make(map[string]*Schema, len(d.Properties))
	}
	for _, name := range slices.Sorted(maps.Keys(d.Properties)) {
		p := r.schema(d.Properties[name])
		s.properties[name] = p
		if p != nil && p.def != nil {
			s.defaulted = append(s.defaulted, property{name, p})
		}
	}
}

// child returns the schema of the value of a key, nil if it has none.
func (s *Schema) child(key string) *Schema {
	if p, ok := s.properties[key]; ok {
		return p
	}
	return s.values
}
