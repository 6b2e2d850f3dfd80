package published

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// Shape returns where objects have unions, from their schema as JSON; nil if they have none.
// definitions has the schemas that references name by the last part of their path, as in
// #/components/schemas/Database. An error gives the path of an extension that cannot be read, or of a
// reference without a definition.
func Shape(schema map[string]any, definitions map[string]any) (*union.Shape, error) {
	r := &reader{definitions: definitions, known: map[string]*union.Shape{}}
	return r.shape(schema)
}

// reader reads schemas that may refer to each other.
type reader struct {
	definitions map[string]any
	known       map[string]*union.Shape
}

func (r *reader) shape(schema map[string]any) (*union.Shape, error) {
	if ref, ok := schema["$ref"].(string); ok {
		return r.reference(path.Base(ref))
	}
	shape := &union.Shape{}
	if err := r.fill(shape, schema); err != nil || isEmpty(shape) {
		return nil, err
	}
	return shape, nil
}

func (r *reader) reference(name string) (*union.Shape, error) {
	if shape, known := r.known[name]; known {
		return shape, nil
	}
	schema, ok := r.definitions[name].(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is not defined", name)
	}
	if !r.reaches(schema, map[string]bool{name: true}) {
		r.known[name] = nil
		return nil, nil
	}
	shape := &union.Shape{}
	r.known[name] = shape // for references in itself
	if err := r.fill(shape, schema); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return shape, nil
}

// reaches reports whether a schema, or one that it refers to, has the extension, or refers to one
// that is not defined. seen has the references that need not be followed.
func (r *reader) reaches(schema any, seen map[string]bool) bool {
	switch schema := schema.(type) {
	case map[string]any:
		if ref, ok := schema["$ref"].(string); ok && !seen[path.Base(ref)] {
			seen[path.Base(ref)] = true
			if d := r.definitions[path.Base(ref)]; d == nil || r.reaches(d, seen) {
				return true
			}
		}
		for key, v := range schema {
			if key == Extension || r.reaches(v, seen) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(schema, func(v any) bool { return r.reaches(v, seen) })
	}
	return false
}

func isEmpty(s *union.Shape) bool {
	return len(s.Unions)+len(s.Also)+len(s.Fields) == 0 && s.Elem == nil
}

func (r *reader) fill(shape *union.Shape, schema map[string]any) (err error) {
	if shape.Unions, err = Unions(schema); err != nil {
		return err
	}
	all, _ := schema["allOf"].([]any)
	for i, part := range all {
		also, err := r.part(part, fmt.Sprintf("allOf[%d]", i))
		if err != nil {
			return err
		}
		if also != nil {
			shape.Also = append(shape.Also, also)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		below, err := r.part(properties[name], "properties."+name)
		if err != nil {
			return err
		}
		if below != nil {
			shape.Fields = append(shape.Fields, union.Field{Name: name, Shape: below})
		}
	}
	for _, key := range []string{"items", "additionalProperties"} {
		below, err := r.part(schema[key], key)
		if err != nil {
			return err
		}
		if below != nil {
			shape.Elem = below
		}
	}
	if shape.Elem != nil && schema["x-kubernetes-list-type"] == "map" {
		shape.Keys = r.keys(schema)
	}
	return nil
}

// part returns the shape of a schema in another one.
func (r *reader) part(schema any, at string) (*union.Shape, error) {
	object, ok := schema.(map[string]any)
	if !ok {
		return nil, nil
	}
	shape, err := r.shape(object)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	return shape, nil
}

// keys returns the keys of a list, with their defaults.
func (r *reader) keys(list map[string]any) []union.Key {
	items, _ := list["items"].(map[string]any)
	if ref, ok := items["$ref"].(string); ok {
		items, _ = r.definitions[path.Base(ref)].(map[string]any)
	}
	properties, _ := items["properties"].(map[string]any)
	names, _ := list["x-kubernetes-list-map-keys"].([]any)
	var out []union.Key
	for _, name := range names {
		if name, ok := name.(string); ok {
			property, _ := properties[name].(map[string]any)
			out = append(out, union.Key{Name: name, Zero: property["default"]})
		}
	}
	return out
}
