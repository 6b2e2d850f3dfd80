package conformance_test

import (
	"bytes"
	"maps"
	"testing"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/objects/fieldtree"
	"github.com/kindsmith/kindsmith/internal/objects/jsonschema"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/kubebuilder"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// TestJSONSchema checks, on objects made at random from those of the cases, that the JSON Schema of a type refuses nothing that
// the evaluator and the published schema accept, and that it finds a good part of the mistakes.
func TestJSONSchema(t *testing.T) {
	w, set := load(t), evaluator(t)
	programs := kubebuilder.WithKeywords(new(driver.ModelConfig).Programs(w.model))
	accepted, refused, found := 0, 0, 0
	for _, c := range w.cases {
		if !c.ok() || len(schemaOf(t, c, nil).refused) > 0 {
			continue
		}
		byType := map[string][]*corpus.Object{}
		for _, o := range c.Objects {
			if o.Subresource == "" {
				byType[o.Type] = append(byType[o.Type], o)
			}
		}
		for _, name := range sortedKeys(byType) {
			root := fieldtree.New(programs, w.model.Type(model.Name{Package: c.pkg(), Name: name}))
			if root.Form != fieldtree.Object || root.Field("kind") != nil {
				continue
			}
			kind := schema.GroupVersionKind{Group: "g", Version: "v1", Kind: name}
			text, err := jsonschema.Of(programs, jsonschema.Kind{GroupVersionKind: kind, Root: root})
			if err != nil {
				t.Fatal(err)
			}
			s := compiled(t, text)
			for _, r := range requestsOf(t, c, name, byType[name], *rounds/3) {
				if len(enabled(r.Options)) > 0 { // a schema is for objects without options
					continue
				}
				object := decodedText(t, r.Object)
				valid := accepts(t, set, eval.Request{Type: eval.TypeName{Package: c.pkg(), Name: name}, Object: object, Options: r.Options, Complete: true}) &&
					len(schemaOf(t, c, enabled(r.Options)).crds[name].Validate("v1", wrapped(t, jsonObject(t, r.Object)), nil)) == 0
				manifest := maps.Clone(object)
				manifest["apiVersion"], manifest["kind"] = kind.GroupVersion().String(), kind.Kind
				err := s.Validate(plain(t, manifest))
				switch {
				case valid && err != nil:
					t.Errorf("%s.%s: the schema refuses a valid object\n%s\n%v\n%s", c.Name, name, r.Object, err, text)
				case valid:
					accepted++
				case err != nil:
					found++
					fallthrough
				default:
					refused++
				}
			}
		}
	}
	t.Logf("%d objects are valid; of %d invalid ones, the schemas refuse %d", accepted, refused, found)
	if accepted < 500 || found < refused/2 {
		t.Error("these are too few")
	}
}

// accepts reports whether an object is valid with its defaults, and with normalised unions.
func accepts(t *testing.T, set *eval.Set, r eval.Request) bool {
	t.Helper()
	unknown, err := set.Unknown(r.Type, r.Object)
	if err != nil || len(unknown) > 0 {
		return false
	}
	if r.Object, _, err = set.Default(r.Type, r.Object); err == nil {
		r.Object, _, err = set.Normalize(r.Type, union.Request{Options: r.Options}, r.Object, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	result, err := set.Validate(r)
	if err != nil {
		t.Fatal(err)
	}
	return len(result.Malformed)+len(result.Errors) == 0
}

func compiled(t *testing.T, text []byte) *validator.Schema {
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
func plain(t *testing.T, value map[string]any) any {
	t.Helper()
	text, err := jsonOf(value)
	if err != nil {
		t.Fatal(err)
	}
	out, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
