// Package published reads unions from published OpenAPI schemas.
//
//	shape, err := published.Shape(schema, definitions)
//	…
//	cleared := shape.Normalize(union.Request{}, object, old)
//
// [Shape] returns where objects of a schema have unions, for package union. [Unions] returns those of one object schema. Both
// read the extension x-kubernetes-unions in all forms in use. An error says which extension is malformed.
package published

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/runtime/union"
)

// Extension is the name of the extension of schemas that has unions.
const Extension = "x-kubernetes-unions"

// Unions returns the unions of an object, from its schema as JSON. It reads all forms of the
// extension: on the discriminator's property (the newer text of KEP-1027), a list on the object
// (the older text, as openapi-gen writes it), and an object with a list of members.
//
// Unions of the older form are normalised as union.Older. An error describes an extension of another
// form.
func Unions(schema map[string]any) ([]*union.Union, error) {
	var list []*union.Union
	add := func(u *union.Union, err error) error {
		if u != nil {
			list = append(list, u)
		}
		return err
	}
	own, isList := schema[Extension].([]any)
	if !isList && schema[Extension] != nil && !has(schema[Extension], "fieldMembers") {
		own = []any{schema[Extension]}
	}
	for i, e := range own {
		if err := add(ofObject(e)); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", Extension, i, err)
		}
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		p, _ := properties[name].(map[string]any)
		if p[Extension] == nil {
			continue
		}
		if err := add(ofDiscriminator(name, p)); err != nil {
			return nil, fmt.Errorf("properties.%s.%s: %w", name, Extension, err)
		}
	}
	for _, u := range list {
		for i, m := range u.Members {
			if m.Zero == union.NoZero && hasItems(properties[m.Name]) {
				u.Members[i].Zero = union.ZeroValue
			}
			if properties[m.Name] == nil {
				return nil, fmt.Errorf("%s: the object has no property %q", Extension, m.Name)
			}
		}
	}
	return list, nil
}

// hasItems reports whether a property is a list or a map, of which an empty one is unset. For other values, the extension
// says whether Go distinguishes the zero value from an absent field.
func hasItems(property any) bool {
	p, _ := property.(map[string]any)
	return p["type"] == "array" || p["additionalProperties"] != nil
}

// has reports whether an extension has a key: the forms differ in their keys.
func has(extension any, key string) bool {
	e, _ := extension.(map[string]any)
	return e[key] != nil
}

// ofDiscriminator reads the form of the newer text: fieldMembers has the member, or null, of each
// value.
func ofDiscriminator(name string, property map[string]any) (*union.Union, error) {
	extension, _ := property[Extension].(map[string]any)
	members, ok := extension["fieldMembers"].(map[string]any)
	if !ok {
		if _, isList := property[Extension].([]any); isList || has(extension, "members") || has(extension, "fields-to-discriminateBy") {
			return nil, nil // the property is an object with unions of its fields
		}
		return nil, fmt.Errorf("fieldMembers is missing")
	}
	u := &union.Union{Discriminator: name, Open: property["enum"] == nil}
	for _, value := range slices.Sorted(maps.Keys(members)) {
		if members[value] == nil {
			u.Values = append(u.Values, union.Value{Value: value})
			continue
		}
		m, _ := members[value].(map[string]any)
		field, _ := m["name"].(string)
		if field == "" {
			return nil, fmt.Errorf("fieldMembers.%s has no name", value)
		}
		optional, _ := m["optional"].(bool)
		zero, _ := m["zero"].(string)
		u.Members = append(u.Members, union.Member{Name: field, Value: value, Optional: optional, Zero: union.Zero(zero)})
	}
	return u, nil
}

// ofObject reads the two forms that are on the object.
func ofObject(extension any) (*union.Union, error) {
	e, _ := extension.(map[string]any)
	discriminator, _ := e["discriminator"].(string)
	u := &union.Union{Discriminator: discriminator, Open: true}
	if fields, ok := e["fields-to-discriminateBy"].(map[string]any); ok {
		u.Algorithm, u.ZeroOrOne = union.Older, true
		zeros, _ := e["zeros"].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			value, ok := fields[name].(string)
			if !ok {
				return nil, fmt.Errorf("fields-to-discriminateBy.%s is not a string", name)
			}
			zero, _ := zeros[name].(string)
			u.Members = append(u.Members, union.Member{Name: name, Value: value, Optional: true, Zero: union.Zero(zero)})
		}
		return u, nil
	}
	members, ok := e["members"].([]any)
	if !ok {
		return nil, fmt.Errorf("neither fields-to-discriminateBy nor members is set")
	}
	for i, m := range members {
		m, _ := m.(map[string]any)
		name, _ := m["fieldName"].(string)
		if name == "" {
			return nil, fmt.Errorf("members[%d] has no fieldName", i)
		}
		value, _ := m["discriminatorValue"].(string)
		u.Members = append(u.Members, union.Member{Name: name, Value: cmp.Or(value, name)})
	}
	return u, nil
}
