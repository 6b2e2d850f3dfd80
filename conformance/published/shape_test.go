package published_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// shape is a schema with those below it, and what random objects need besides.
type shape struct {
	*apiextensionsv1.JSONSchemaProps
	// names are the names of the properties, in order.
	names         []string
	properties    map[string]*shape
	items, values *shape
	// ruled is set if the schema or one below it has rules in CEL.
	ruled bool
}

// shapesIn returns the schemas of the definitions in a folder.
func shapesIn(t *testing.T, dir string) map[schema.GroupVersionKind]*shape {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	shapes := map[schema.GroupVersionKind]*shape{}
	for _, path := range paths {
		content, err := os.ReadFile(path)
		var crd apiextensionsv1.CustomResourceDefinition
		if err := errors.Join(err, yaml.UnmarshalStrict(content, &crd)); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, v := range crd.Spec.Versions {
			shapes[schema.GroupVersionKind{Group: crd.Spec.Group, Version: v.Name, Kind: crd.Spec.Names.Kind}] = shapeOf(v.Schema.OpenAPIV3Schema)
		}
	}
	return shapes
}

func shapeOf(s *apiextensionsv1.JSONSchemaProps) *shape {
	sh := &shape{JSONSchemaProps: s, properties: map[string]*shape{}, ruled: len(s.XValidations) > 0}
	below := func(s *apiextensionsv1.JSONSchemaProps) *shape {
		child := shapeOf(s)
		sh.ruled = sh.ruled || child.ruled
		return child
	}
	for name, property := range s.Properties {
		sh.names = append(sh.names, name)
		sh.properties[name] = below(&property)
	}
	slices.Sort(sh.names)
	if s.Items != nil && s.Items.Schema != nil {
		sh.items = below(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		sh.values = below(s.AdditionalProperties.Schema)
	}
	return sh
}

// child returns the shape of a property, of an item or of the value of a map; nil if there is none.
func (s *shape) child(name string) *shape {
	switch {
	case s == nil:
		return nil
	case s.items != nil:
		return s.items
	case s.values != nil:
		return s.values
	}
	return s.properties[name]
}

// words are the strings that the rules of a shape mention.
func (s *shape) words() []string {
	var found []string
	s.visit(func(s *shape) {
		for _, r := range s.XValidations {
			for _, m := range quoted.FindAllStringSubmatch(r.Rule, -1) {
				if word := m[1] + m[2]; word != "" && len(word) < 60 && !slices.Contains(found, word) {
					found = append(found, word)
				}
			}
		}
	})
	return found
}

var quoted = regexp.MustCompile(`'([^'\\]*)'|"([^"\\]*)"`)

func (s *shape) visit(f func(*shape)) {
	f(s)
	for _, name := range s.names {
		s.properties[name].visit(f)
	}
	for _, below := range []*shape{s.items, s.values} {
		if below != nil {
			below.visit(f)
		}
	}
}
