package unions_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/unions"
	v1 "github.com/kindsmith/kindsmith/conformance/unions/v1"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	plans "github.com/kindsmith/kindsmith/internal/rules/rule/unions"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// TestNested updates unions wherever one can be: in lists of each spelling, in maps, in other unions, and in structs of each form
// of presence. All that normalise store the same. A server does this in test/e2e.
func TestNested(t *testing.T) {
	content, err := os.ReadFile("shapes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text, err := yaml.YAMLToJSON(content)
	if err != nil {
		t.Fatal(err)
	}
	var objects struct {
		Live map[string]any `json:"live"`
		Sent map[string]any `json:"sent"`
		Want map[string]any `json:"want"`
	}
	if err := utiljson.Unmarshal(text, &objects); err != nil {
		t.Fatal(err)
	}
	kind := func(object map[string]any) map[string]any {
		out := copied(object)
		out["apiVersion"], out["kind"], out["metadata"] = "unions.example.com/v1", "Shape", map[string]any{"name": "shape", "namespace": "default"}
		return out
	}
	m, _ := emittest.Model(t, "./v1")
	programs, name := tag.Programs(m, driver.Tags()), model.Name{Package: "github.com/kindsmith/kindsmith/conformance/unions/v1", Name: "Shape"}
	shape := plans.NewPlans(programs, plans.All).Shape(m.Type(name))
	s := publishedKinds(t, "./v1")["Shape"].server(t, unions.GoServerOf(v1.NormalizeUnions_Shape, nil), shape)
	for voice, stored := range map[string]func(object, old map[string]any) (map[string]any, error){
		"generated Go": func(object, old map[string]any) (map[string]any, error) {
			out, _, err := s.typed(object, old)
			return out, err
		},
		"runtime/union": func(object, old map[string]any) (map[string]any, error) {
			shape.Normalize(union.Request{}, object, old)
			return object, nil
		},
		"the evaluator": func(object, old map[string]any) (map[string]any, error) {
			out, _, err := eval.New(programs).Normalize(name, union.Request{}, object, old)
			return out, err
		},
		"the policy": func(object, old map[string]any) (map[string]any, error) {
			out, _ := s.policy.Update(t, object, old)
			return out, nil
		},
		"runtime/apply": func(object, old map[string]any) (map[string]any, error) {
			delete(object, "status") // another resource
			result, err := s.apply.Update(&unstructured.Unstructured{Object: old}, &unstructured.Unstructured{Object: object}, apply.Request{Manager: "test"})
			if err != nil {
				return nil, err
			}
			return result.Object.Object, nil
		},
	} {
		t.Run(voice, func(t *testing.T) {
			got, err := stored(kind(objects.Sent), kind(objects.Live))
			if err != nil {
				t.Fatal(err)
			}
			if text, err = utiljson.Marshal(got); err != nil {
				t.Fatal(err)
			}
			got = nil
			if err := utiljson.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(withoutZeros(objects.Want["spec"]), withoutZeros(got["spec"])); diff != "" {
				t.Errorf("the spec (-want +got):\n%s", diff)
			}
			if voice == "generated Go" || voice == "runtime/union" || voice == "the evaluator" {
				if diff := cmp.Diff(objects.Want["status"], got["status"]); diff != "" {
					t.Errorf("the status (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// withoutZeros returns a value without the members that Go omits.
func withoutZeros(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			if member != false && member != "" {
				out[name] = withoutZeros(member)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = withoutZeros(item)
		}
		return out
	}
	return v
}
