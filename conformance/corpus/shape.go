package corpus

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
)

// shape is what cases have in common: an archive that is a template. Its section shape
// documents the values; that of a case has them, and the name of the shape under "of".
// The objects of a case are added to those of its shape.
type shape struct {
	values map[string]string
	text   *template.Template
}

// loadShapes reads the shapes in a folder, by name.
func loadShapes(folder string) (map[string]*shape, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txtar"))
	if err != nil {
		return nil, err
	}
	shapes := map[string]*shape{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return nil, err
		}
		s := &shape{}
		doc, _ := goldentest.Section(archive, Shape)
		if err := yaml.UnmarshalStrict(doc, &s.values); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		goldentest.SetSection(archive, Shape, nil)
		if s.text, err = template.New(filepath.Base(path)).Option("missingkey=error").Parse(string(txtar.Format(archive))); err != nil {
			return nil, err
		}
		shapes[strings.TrimSuffix(filepath.Base(path), ".txtar")] = s
	}
	return shapes, nil
}

// filled returns the sections of the shape that a case's values name.
func filled(shapes map[string]*shape, section []byte) ([]txtar.File, error) {
	var values map[string]string
	if err := yaml.UnmarshalStrict(section, &values); err != nil {
		return nil, err
	}
	s := shapes[values["of"]]
	if s == nil {
		return nil, fmt.Errorf("no shape is named %q", values["of"])
	}
	delete(values, "of")
	for name := range values {
		if s.values[name] == "" {
			return nil, fmt.Errorf("the shape does not know the value %s", name)
		}
	}
	for name, doc := range s.values {
		if values[name] == "" && !strings.HasPrefix(doc, "optional;") {
			return nil, fmt.Errorf("the shape has no value for %s: %s", name, doc)
		}
		values[name] += "" // an optional value is empty
	}
	var text bytes.Buffer
	if err := s.text.Execute(&text, values); err != nil {
		return nil, err
	}
	return txtar.Parse(text.Bytes()).Files, nil
}
