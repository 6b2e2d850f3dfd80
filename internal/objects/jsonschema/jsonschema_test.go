package jsonschema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/objects/example"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/gotypes"
	"github.com/kindsmith/kindsmith/internal/objects/jsonschema"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/testing/exampletest"
)

func compile(t *testing.T, text []byte) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// plain returns a value as a validator reads it.
func plain(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	out, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestManifests compares schemas with the rules: they accept all examples, and find what breaks a rule that has a keyword.
func TestManifests(t *testing.T) {
	unions := false
	for _, dir := range []string{"database", "pipeline"} {
		programs := kubebuilder.WithKeywords(exampletest.Load(t, dir))
		m := programs.Model
		engine := gotypes.New(eval.New(programs), source.NewFS(nil))
		var kinds []jsonschema.Kind
		found := 0
		for _, gvk := range engine.Kinds() {
			typ := m.Type(typeOf(t, eval.New(programs), gvk))
			if typ.Kind.List {
				continue
			}
			k := jsonschema.Kind{GroupVersionKind: gvk, Root: fieldtree.New(programs, typ)}
			kinds = append(kinds, k)
			text, err := jsonschema.Of(programs, k)
			if err != nil {
				t.Fatal(err)
			}
			s := compile(t, text)
			maker := &example.Maker{Kind: gvk, Root: k.Root, Model: m, Engine: engine}
			for _, one := range examples(t, maker) {
				if err := s.Validate(plain(t, one.Object)); err != nil {
					t.Errorf("%s: %v", gvk, err)
				}
			}
			for _, b := range maker.Breaks() {
				keyword := keywordOf(b)
				if keyword == "" {
					continue
				}
				found++
				unions = unions || keyword == "allOf"
				err := s.Validate(plain(t, b.Object))
				if failed := (*validator.ValidationError)(nil); !errors.As(err, &failed) || !reports(failed, keyword) {
					t.Errorf("%s: %s %s is not reported: %v", gvk, b.Node.Path, keyword, err)
				}
			}
		}
		if found < 5 {
			t.Errorf("%s: only %d rules have a keyword", dir, found)
		}
		text, err := jsonschema.All(programs, kinds)
		if err != nil {
			t.Fatal(err)
		}
		all := compile(t, text)
		again, err := jsonschema.All(programs, kinds)
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("two runs differ: %v", err)
		}
		gv := kinds[0].GroupVersion().String()
		for _, test := range []struct {
			object map[string]any
			valid  bool
		}{
			{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "data": map[string]any{}}, true},
			{map[string]any{"apiVersion": gv, "kind": kinds[0].Kind, "spek": 1}, false},
		} {
			if err := all.Validate(plain(t, test.object)); (err == nil) != test.valid {
				t.Errorf("%v: %v", test.object, err)
			}
		}
	}
	if !unions {
		t.Error("no union is broken")
	}
}

func typeOf(t *testing.T, set *eval.Set, gvk schema.GroupVersionKind) eval.TypeName {
	name, ok := set.Kind(gvk)
	if !ok {
		t.Fatal(gvk)
	}
	return name
}

func examples(t *testing.T, maker *example.Maker) []example.Example {
	t.Helper()
	var all []example.Example
	add := func(e example.Example, err error) {
		if err != nil {
			t.Error(err)
			return
		}
		all = append(all, e)
	}
	add(maker.Minimal())
	add(maker.Full())
	for _, c := range maker.Choices() {
		add(maker.Chosen(c))
	}
	return all
}

// keywordOf returns the keyword of a rule that a new object breaks; "" if there is none.
func keywordOf(b example.Break) string {
	if b.Error == "" || b.Old != nil || len(b.Rule.Under)+len(b.Rule.Unless) > 0 {
		return ""
	}
	if _, ok := b.Rule.Must.(*rule.Union); ok && b.Rule.Moment == rule.OnChange {
		return "allOf"
	}
	if b.Rule.Moment != rule.Always {
		return ""
	}
	switch must := b.Rule.Must.(type) {
	case *rule.Limit:
		if must.Of == rule.Number && must.Keyword != rule.MaxBytes {
			return string(must.Keyword)
		}
	case *rule.Enum:
		return "enum"
	case *rule.Pattern:
		return "pattern"
	}
	return ""
}

// reports reports whether an error or one of its causes is about a keyword.
func reports(e *validator.ValidationError, keyword string) bool {
	path := strings.Join(e.ErrorKind.KeywordPath(), "/")
	return strings.Contains(path, keyword) || slices.ContainsFunc(e.Causes, func(c *validator.ValidationError) bool { return reports(c, keyword) })
}
