package openapi

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// choice is what openapi-gen's marker says about a declaration.
type choice int

const (
	unsaid choice = iota
	yes
	no
)

func selected(markers []model.Marker) choice {
	for _, v := range values(markers, foreign.OpenAPIGen) {
		switch v {
		case "true":
			return yes
		case "false":
			return no
		}
	}
	return unsaid
}

// values returns the values of all markers with a name.
func values(markers []model.Marker, name string) []string {
	var list []string
	for _, m := range markers {
		if m.Name == name {
			_, v, _ := strings.Cut(m.Text, "=")
			list = append(list, strings.TrimSpace(v))
		}
	}
	return list
}

const (
	keysExtension  = "x-kubernetes-list-map-keys"
	typeExtension  = "x-kubernetes-list-type"
	mapExtension   = "x-kubernetes-map-type"
	unionExtension = "x-kubernetes-unions"
	celExtension   = "x-kubernetes-validations"
)

// flags are controller-gen's markers for extensions that are true.
var flags = map[string]string{
	foreign.KubebuilderPreserve:     "x-kubernetes-preserve-unknown-fields",
	foreign.KubebuilderXPreserve:    "x-kubernetes-preserve-unknown-fields",
	foreign.KubebuilderEmbedded:     "x-kubernetes-embedded-resource",
	foreign.KubebuilderXIntOrString: "x-kubernetes-int-or-string",
}

// extend sets the extensions of markers.
func extend(s *spec.Schema, markers []model.Marker) {
	for _, v := range values(markers, foreign.OpenAPIGen) {
		name, text, ok := strings.Cut(v, ":")
		if !ok || !strings.HasPrefix(name, "x-kubernetes-") {
			continue
		}
		s.AddExtension(name, text)
		if b, err := strconv.ParseBool(text); err == nil {
			s.AddExtension(name, b) // a reader of a flag ignores the string "true"
		}
	}
	for _, m := range markers {
		if name := flags[m.Name]; name != "" {
			s.AddExtension(name, true)
		}
	}
	for _, marker := range []string{foreign.MapType, foreign.StructType} {
		if list := values(markers, marker); len(list) > 0 {
			s.AddExtension(mapExtension, list[0])
		}
	}
}

// own sets the extensions that say how the value of a member is owned.
func own(s *spec.Schema, m *model.Member) {
	set := func(extension, value string) {
		if value != "" {
			s.AddExtension(extension, value)
		}
	}
	if l := m.List; l != nil && l.By != "" {
		set(typeExtension, l.Type)
		if len(l.Keys) > 0 {
			s.AddExtension(keysExtension, l.Keys)
		}
	}
	if p := m.Patch; p != nil {
		set("x-kubernetes-patch-strategy", p.Strategy)
		set("x-kubernetes-patch-merge-key", p.MergeKey)
	}
}

// validate sets the keywords of openapi-gen's markers, +k8s:validation:<path>=<JSON>.
func (b *builder) validate(s *spec.Schema, markers []model.Marker) {
	root := map[string]any{}
	texts := map[string]string{}
	for _, m := range markers {
		rest, ok := strings.CutPrefix(m.Text, foreign.OpenAPIPrefix)
		if !ok {
			continue
		}
		end := strings.IndexAny(rest, "=>")
		path, value := rest, any(true)
		var err error
		switch {
		case end < 0:
		case rest[end] == '>': // a raw string; further lines continue it
			path = rest[:end]
			if before, ok := texts[path]; ok {
				texts[path] = before + "\n"
			}
			texts[path] += strings.TrimSpace(rest[end+1:])
			value = texts[path]
		default:
			path = rest[:end]
			err = json.Unmarshal([]byte(rest[end+1:]), &value)
		}
		if err == nil {
			err = put(root, strings.Split(path, ":"), value)
		}
		if err == nil {
			err = json.Unmarshal(marshal(root), &spec.Schema{})
		}
		if err != nil {
			b.failed = true
			b.c.Diags.Errorf(m.Span, codeMarker, "+%s cannot be read: %v", m.Name, err)
			return
		}
	}
	keywords(s, root)
}

// put stores a value below nested keys; key[2] is an item of a list.
func put(into map[string]any, path []string, value any) error {
	name, index, isItem := strings.Cut(path[0], "[")
	if !isItem {
		if len(path) == 1 {
			into[name] = value
			return nil
		}
		below, ok := into[name].(map[string]any)
		if !ok && into[name] != nil {
			return fmt.Errorf("%s has a value already", name)
		} else if !ok {
			below = map[string]any{}
			into[name] = below
		}
		return put(below, path[1:], value)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
	list, isList := into[name].([]any)
	if err != nil || n < 0 || n > len(list) || !isList && into[name] != nil || len(path) == 1 {
		return fmt.Errorf("number the items of %s from 0, as in %[1]s[0]:rule", name)
	}
	if n == len(list) {
		list = append(list, map[string]any{})
		into[name] = list
	}
	return put(list[n].(map[string]any), path[1:], value)
}

// keywords sets the keywords of a tree of markers. Those of properties and items are in allOf:
// the schemas of the types have the structure.
func keywords(s *spec.Schema, tree map[string]any) {
	own, below := map[string]any{}, spec.Schema{}
	nested := func(v any) *spec.Schema {
		inner := spec.Schema{}
		if t, ok := v.(map[string]any); ok {
			keywords(&inner, t)
		}
		return &inner
	}
	for name, v := range tree {
		switch name {
		case "cel":
			s.AddExtension(celExtension, v)
		case "items":
			below.Items = &spec.SchemaOrArray{Schema: nested(v)}
		case "additionalProperties":
			below.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: nested(v)}
		case "properties":
			fields, _ := v.(map[string]any)
			below.Properties = map[string]spec.Schema{}
			for field, of := range fields {
				below.Properties[field] = *nested(of)
			}
		default:
			own[name] = v
		}
	}
	if len(own) > 0 {
		_ = json.Unmarshal(marshal(own), &s.SchemaProps) // validate has read it
	}
	if len(below.Properties) > 0 || below.Items != nil || below.AdditionalProperties != nil {
		s.AllOf = append(s.AllOf, below)
	}
}

func marshal(v any) []byte {
	text, _ := json.Marshal(v) // v was read from JSON
	return text
}
