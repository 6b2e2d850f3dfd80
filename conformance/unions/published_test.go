package unions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	registration "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/conformance/unions"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/crdtest"
	"github.com/kindsmith/kindsmith/internal/testing/policytest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/apply"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// publishedKind is what API servers get of a kind.
type publishedKind struct {
	definition *crdtest.CRD
	text       []byte
	policy     *registration.MutatingAdmissionPolicy
}

// publishedKinds generates the definitions and policies of the kinds in a package.
func publishedKinds(t *testing.T, pkg string) map[string]*publishedKind {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Patterns: []string{pkg}}, Only: []string{"crd", "policy"}, CRDDir: t.TempDir(), PolicyDir: t.TempDir(),
	}, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, bag.All())
	}
	kinds := map[string]*publishedKind{}
	policies := map[string]*registration.MutatingAdmissionPolicy{}
	for _, f := range out.Files {
		switch name := path.Base(f.Path); {
		case strings.HasSuffix(name, "_unions.yaml"):
			p := &registration.MutatingAdmissionPolicy{}
			if err := yaml.Unmarshal(bytes.Split(f.Content, []byte("---\n"))[1], p); err != nil {
				t.Fatal(err)
			}
			policies[p.Spec.MatchConstraints.ResourceRules[0].Resources[0]] = p
		default:
			crd, err := crdtest.Load(f.Content)
			if err != nil {
				t.Fatal(err)
			}
			kinds[crd.Definition.Spec.Names.Kind] = &publishedKind{definition: crd, text: f.Content}
		}
	}
	for _, k := range kinds {
		k.policy = policies[k.definition.Definition.Spec.Names.Plural]
	}
	return kinds
}

// server is the voices of one shape.
type server struct {
	*publishedKind
	typed  unions.GoServer
	policy *policytest.Mutating
	apply  *apply.Applier
	// errs are the errors of the last request to generated Go, absent the required discriminators that its object lacks.
	errs   field.ErrorList
	absent []string
}

func (k *publishedKind) server(t *testing.T, typed unions.GoServer, shape *union.Shape) *server {
	t.Helper()
	s := &server{publishedKind: k, typed: typed}
	if k.policy != nil {
		s.policy = policytest.NewMutating(t, k.policy)
	}
	text, err := yaml.YAMLToJSON(k.text)
	if err != nil {
		t.Fatal(err)
	}
	config, err := apply.FromCRD(text, "v1")
	if err != nil {
		t.Fatal(err)
	}
	config.Unions = shape
	if s.apply, err = apply.New(config); err != nil {
		t.Fatal(err)
	}
	return s
}

// goes is what a server with generated Go does, apart from the errors of other rules.
func (s *server) goes(t *testing.T, object, old map[string]any, kinds map[string]string) string {
	t.Helper()
	out, errs, err := s.typed(object, old)
	if err != nil {
		t.Fatal(err)
	}
	s.errs = errs
	return outcomeOf(out, errs, kinds)
}

// differs compares the policy, the definition and server-side apply with what is expected: the object after normalisation, and
// whether rules of unions reject it.
func (s *server) differs(t *testing.T, want, object, old map[string]any, rejected bool) string {
	t.Helper()
	if s.policy != nil && old != nil {
		got, _ := s.policy.Update(t, of(object), of(old))
		if got := got["spec"]; encoded(withoutNulls(got)) != encoded(withoutNulls(want)) {
			return "the policy stores " + encoded(got)
		}
	}
	if diff := s.judged(want, old); diff != "" {
		return diff
	}
	result, err := s.apply.Update(s.resource(old), s.resource(object), apply.Request{Manager: "test"})
	return stores(result, err, want, rejected)
}

// judged compares the errors of the definition with those of generated Go.
func (s *server) judged(object, old map[string]any) string {
	var got, want []string
	complete := true
	for _, e := range s.definition.Validate("v1", of(object), of(old)) {
		if strings.Contains(e.Detail, "some validation rules were not checked") {
			complete = false
			continue
		}
		got = append(got, strings.TrimPrefix(strings.TrimPrefix(e.Field, "spec"), "."))
	}
	for _, e := range s.errs {
		want = append(want, strings.TrimPrefix(e.Field, "<nil>"))
	}
	slices.Sort(got)
	slices.Sort(want)
	got, want = slices.Compact(got), slices.Compact(want)
	if !complete && len(got) > 0 {
		// Servers do not run rules in CEL on an object with other errors.
		want = slices.DeleteFunc(want, func(f string) bool { return !slices.Contains(got, f) })
	}
	if old != nil {
		// The keyword required is checked again if anything in the object changes, the rule in Go if the field changes.
		got = slices.DeleteFunc(got, func(f string) bool { return slices.Contains(s.absent, f) && !slices.Contains(want, f) })
	}
	if !slices.Equal(got, want) {
		return fmt.Sprintf("the definition reports %q, and Go %q", got, want)
	}
	return ""
}

// applies compares server-side apply of an object's values to the old object with what is expected.
func (s *server) applies(want, object, old map[string]any, rejected bool) string {
	result, err := s.apply.Apply(s.resource(old), s.resource(withoutNulls(object)), apply.Request{Manager: "test", Force: true})
	return stores(result, err, want, rejected)
}

func stores(result *apply.Result, err error, want map[string]any, rejected bool) string {
	switch {
	case apierrors.IsInvalid(err) && rejected:
		return ""
	case err != nil || rejected:
		return fmt.Sprintf("runtime/apply: %v", err)
	}
	if got := result.Object.Object["spec"]; encoded(withoutNulls(got)) != encoded(withoutNulls(want)) {
		return "runtime/apply stores " + encoded(got)
	}
	return ""
}

// resource returns a whole object; nil if there is none.
func (s *server) resource(spec map[string]any) *unstructured.Unstructured {
	if spec == nil {
		return nil
	}
	object := of(spec)
	object["apiVersion"], object["kind"] = "shapes.example.com/v1", s.definition.Definition.Spec.Names.Kind
	object["metadata"] = map[string]any{"name": "test", "namespace": "default"}
	return &unstructured.Unstructured{Object: object}
}

// of returns an object with a spec.
func of(spec map[string]any) map[string]any {
	if spec == nil {
		return nil
	}
	return map[string]any{"spec": copied(spec)}
}

// withoutNulls returns a spec without null values, which servers remove.
func withoutNulls(spec any) map[string]any {
	out := map[string]any{}
	object, _ := spec.(map[string]any)
	for k, v := range object {
		if v != nil {
			out[k] = v
		}
	}
	return out
}

func encoded(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
