package definitions_test

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// structural are the keywords whose cause is a declaration, and not a marker.
var structural = map[string]bool{
	"type": true, "format": true, "properties": true, "items": true, "additionalProperties": true, "description": true, "required": true, "allOf": true,
}

// TestCauses asks for the cause of every value of definitions, also as if it were missing: each has
// one, and each keyword on a value has a marker or what else sets it.
func TestCauses(t *testing.T) {
	for _, dir := range []string{"declarative", "measures", "versions/...", "kubebuilder"} {
		m, bag := emittest.Model(t, "./testdata/"+dir)
		c := emit.Context{Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Diags: bag}
		err := definitions.Emitter().Run(c, nil, func(_ *emit.Context, f emit.File) {
			var doc any
			if err := yaml.Unmarshal(f.Content, &doc); err != nil {
				t.Fatal(err)
			}
			eachPath(nil, doc, func(path []string) {
				has, lacks := f.Cause(path, true), f.Cause(path, false)
				if has.Text == "" || lacks.Text == "" {
					t.Errorf("%s: %s has no cause", f.Name, strings.Join(path, "/"))
				}
				for i, name := range path {
					if name != "openAPIV3Schema" || i+1 == len(path) {
						continue
					}
					if keyword := keywordOf(path[i+1:]); keyword != "" && !structural[keyword] && strings.HasPrefix(has.Text, "the field ") {
						t.Errorf("%s: the cause of %s is %s", f.Name, strings.Join(path, "/"), has.Text)
					}
				}
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keywordOf returns the keyword at the end of a path in a schema.
func keywordOf(path []string) string {
	for len(path) > 0 {
		switch {
		case path[0] == "properties" && len(path) > 1:
			path = path[2:]
		case path[0] == "items", path[0] == "additionalProperties":
			path = path[1:]
		default:
			return path[0]
		}
	}
	return ""
}

// eachPath calls f with the path of every value.
func eachPath(path []string, v any, f func([]string)) {
	if len(path) > 0 {
		f(path)
	}
	below := func(key string, v any) { eachPath(append(path[:len(path):len(path)], key), v, f) }
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			below(key, value)
		}
	case []any:
		for i, item := range v {
			key := fmt.Sprint(i)
			if m, ok := item.(map[string]any); !ok {
				key = fmt.Sprint(item)
			} else if name, ok := m["name"]; ok {
				key = fmt.Sprint(name)
			} else if rule, ok := m["rule"]; ok {
				key = fmt.Sprint(rule)
			}
			below(key, item)
		}
	}
}
