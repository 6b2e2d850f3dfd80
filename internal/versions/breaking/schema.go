package breaking

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

type props = apiextensionsv1.JSONSchemaProps

const inNewVersion = "keep it, or change it in a new version"

// schema compares the schemas of a value.
func (c *comparison) schema(at place, before, after *props) {
	before, after = flat(before), flat(after)
	if was, is := typeOf(before), typeOf(after); was != is {
		if was != "" && is != "" {
			c.add(codeType, at, "keep the type, or change it in a new version", "is %s, was %s", is, was)
		} else if is != "" {
			c.add(codeType, at, inNewVersion, "is %s, was any value", is)
		}
		return
	}
	c.form(at, before, after)
	c.enum(at, before, after)
	c.rules(at, before, after)
	c.defaults(at, before, after)
	c.properties(at, before, after)
	if before.Items != nil && after.Items != nil && before.Items.Schema != nil && after.Items.Schema != nil {
		c.schema(at.below(Step{}, "items"), before.Items.Schema, after.Items.Schema)
	}
	if was, is := before.AdditionalProperties, after.AdditionalProperties; was != nil && is != nil && was.Schema != nil && is.Schema != nil {
		c.schema(at.below(Step{Map: true}, "additionalProperties"), was.Schema, is.Schema)
	}
}

// flat returns a schema that has the fields, items and allowed values of its allOf too.
func flat(s *props) *props {
	all := flattenAllOf(s)
	if len(all) == 1 {
		return s
	}
	s = s.DeepCopy()
	for _, more := range all[1:] {
		s.Required = append(s.Required, more.Required...)
		if len(s.Enum) == 0 {
			s.Enum = more.Enum
		} else if len(more.Enum) > 0 {
			s.Enum = slices.DeleteFunc(s.Enum, func(v apiextensionsv1.JSON) bool { return !contains(more.Enum, v) })
		}
		for name, field := range more.Properties {
			if known, ok := s.Properties[name]; ok {
				known.AllOf = append(known.AllOf, field)
				s.Properties[name] = known
			}
		}
		if more.Items != nil && more.Items.Schema != nil && s.Items != nil && s.Items.Schema != nil {
			s.Items.Schema.AllOf = append(s.Items.Schema.AllOf, *more.Items.Schema)
		}
	}
	return s
}

// typeOf names the JSON type of a value, "" for any.
func typeOf(s *props) string {
	switch {
	case s.XIntOrString:
		return "an integer or a string"
	case s.Type == "object" && s.AdditionalProperties != nil && len(s.Properties) == 0:
		return "a map"
	case s.Type == "array":
		return "a list"
	case s.Type == "integer" || s.Type == "object":
		return "an " + s.Type
	case s.Type == "":
		return ""
	}
	return "a " + s.Type
}

// form compares what decides, beside the type, which JSON a value may be and how it is merged.
func (c *comparison) form(at place, before, after *props) {
	if before.Nullable && !after.Nullable {
		c.add(codeType, at, "keep +nullable", "can no longer be null")
	}
	if isTrue(before.XPreserveUnknownFields) && !isTrue(after.XPreserveUnknownFields) {
		c.add(codeType, at, "keep preserving unknown fields", "no longer preserves unknown fields")
	}
	if !before.XEmbeddedResource && after.XEmbeddedResource {
		c.add(codeType, at, inNewVersion, "must be an object with apiVersion and kind")
	}
	if before.Type == "integer" && before.Format == "int64" && after.Format == "int32" {
		c.add(codeType, at, inNewVersion, "has 32 bits, had 64")
	}
	if was, is := listType(before), listType(after); was != is {
		c.add(codeType, at, inNewVersion, "is %s, was %s", is, was)
	}
	if was, is := mapType(before), mapType(after); was != is {
		c.add(codeType, at, inNewVersion, "is merged as %s, was merged as %s", is, was)
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

// listType returns how a list is merged.
func listType(s *props) string {
	if s.Type != "array" {
		return ""
	}
	if s.XListType == nil {
		return "a list of type atomic"
	}
	if len(s.XListMapKeys) > 0 {
		return "a list of type " + *s.XListType + " with the keys " + strings.Join(s.XListMapKeys, ", ")
	}
	return "a list of type " + *s.XListType
}

// mapType returns how an object is merged.
func mapType(s *props) string {
	if s.XMapType == nil {
		return "granular"
	}
	return *s.XMapType
}

// enum compares the allowed values.
func (c *comparison) enum(at place, before, after *props) {
	if len(after.Enum) == 0 {
		return
	}
	if len(before.Enum) == 0 {
		c.add(codeEnum, at, inNewVersion, "allows only %s, and allowed any value", values(after.Enum))
		return
	}
	var gone []apiextensionsv1.JSON
	for _, v := range before.Enum {
		if !contains(after.Enum, v) {
			gone = append(gone, v)
		}
	}
	if len(gone) > 0 {
		c.add(codeEnum, at, "keep the constant", "no longer allows %s", values(gone))
	}
}

func values(list []apiextensionsv1.JSON) string {
	words := make([]string, len(list))
	for i, v := range list {
		words[i] = textOf(v)
	}
	return strings.Join(words, ", ")
}

// textOf returns the text of a value. That of null is not kept.
func textOf(v apiextensionsv1.JSON) string { return cmp.Or(string(v.Raw), "null") }

func contains(list []apiextensionsv1.JSON, v apiextensionsv1.JSON) bool {
	return slices.ContainsFunc(list, func(w apiextensionsv1.JSON) bool { return same(v, w) })
}

// same reports whether two JSON texts have the same value.
func same(a, b apiextensionsv1.JSON) bool {
	var x, y any
	return json.Unmarshal([]byte(textOf(a)), &x) == nil && json.Unmarshal([]byte(textOf(b)), &y) == nil && reflect.DeepEqual(x, y)
}

// defaults compares defaults.
func (c *comparison) defaults(at place, before, after *props) {
	if len(at.path) == 0 {
		return
	}
	switch was, is := before.Default, after.Default; {
	case was == nil && is == nil:
	case was == nil:
		c.add(codeDefault, at, "add it in a new version only", "has the new default %s", is.Raw)
	case is == nil:
		c.add(codeDefault, at, inNewVersion, "no longer has the default %s", was.Raw)
	case !same(*was, *is):
		c.add(codeDefault, at, inNewVersion, "has the default %s, was %s", is.Raw, was.Raw)
	}
}

// properties compares the fields of an object.
func (c *comparison) properties(at place, before, after *props) {
	renames := map[string]bool{} // new names
	for _, name := range slices.Sorted(maps.Keys(before.Properties)) {
		was, inner := before.Properties[name], at.below(Step{Name: name}, "properties", name)
		is, ok := after.Properties[name]
		switch {
		case ok:
			if slices.Contains(after.Required, name) && !slices.Contains(before.Required, name) && is.Default == nil {
				c.add(codeRequired, inner, "make it optional, or give it a default", "is now required")
			}
			c.schema(inner, &was, &is)
		case isTrue(after.XPreserveUnknownFields): // it is kept
		default:
			if name := renamed(&was, before, after); name != "" {
				c.add(codeField, inner, fmt.Sprintf("if it is now called %s, rename it in a new version", name), "is gone").Renamed = name
				renames[name] = true
			} else {
				c.add(codeField, inner, "keep it, or remove it in a new version", "is gone")
			}
		}
	}
	for _, name := range after.Required {
		is, ok := after.Properties[name]
		if _, was := before.Properties[name]; ok && !was && is.Default == nil && !renames[name] {
			c.add(codeRequired, place{path: append(slices.Clone(at.path), Step{Name: name}), node: at.node}, "make it optional, or give it a default", "is new and required")
		}
	}
}

// renamed returns the only new field with the schema of a field that is gone, "" if there is none.
func renamed(gone, before, after *props) string {
	var found []string
	for name, is := range after.Properties {
		if _, old := before.Properties[name]; !old && text(undescribed(&is)) == text(undescribed(gone)) {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

func undescribed(s *props) *props {
	s = s.DeepCopy()
	s.Description = ""
	return s
}

// text returns a value as JSON, for comparisons.
func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err) // the value was read from JSON
	}
	return string(data)
}
