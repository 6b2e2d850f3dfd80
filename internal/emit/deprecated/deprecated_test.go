package deprecated_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	registration "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
)

// generated returns the policy for the kind of testdata.
func generated(t *testing.T) *registration.ValidatingAdmissionPolicy {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Patterns: []string{"./testdata/v1"}}, Only: []string{"deprecated"}, PolicyDir: t.TempDir(),
	}, bag)
	if err != nil || bag.HasErrors() || len(out.Files) != 1 {
		t.Fatal(err, bag.All(), out)
	}
	p := &registration.ValidatingAdmissionPolicy{}
	if err := yaml.UnmarshalStrict(bytes.SplitN(out.Files[0].Content, []byte("\n---\n"), 2)[0], p); err != nil {
		t.Fatal(err)
	}
	return p
}

// policy evaluates a policy with the code of API servers.
type policy struct {
	messages  []string
	evaluator plugincel.ConditionEvaluator
}

func newPolicy(t *testing.T, p *registration.ValidatingAdmissionPolicy) *policy {
	t.Helper()
	out := &policy{}
	var conditions []plugincel.ExpressionAccessor
	for _, v := range p.Spec.Validations {
		out.messages = append(out.messages, v.Message)
		conditions = append(conditions, &validating.ValidationCondition{Expression: v.Expression, Message: v.Message})
	}
	// The first version that serves such policies.
	compiler := plugincel.NewConditionCompiler(environment.MustBaseEnvSet(version.MajorMinor(1, 30)))
	out.evaluator = compiler.CompileCondition(conditions, plugincel.OptionalVariableDeclarations{}, environment.NewExpressions)
	if errs := out.evaluator.CompilationErrors(); len(errs) > 0 {
		t.Fatal(errs)
	}
	return out
}

// warnings returns the messages for a create, if there is no old object, or an update.
func (p *policy) warnings(t *testing.T, object, old string) []string {
	t.Helper()
	gvk := schema.GroupVersionKind{Group: "shop.example.com", Version: "v1", Kind: "Order"}
	parse := func(text string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		if err := json.Unmarshal([]byte(text), &u.Object); err != nil {
			t.Fatal(err)
		}
		u.SetGroupVersionKind(gvk)
		return u
	}
	attributes := &admission.VersionedAttributes{VersionedKind: gvk}
	now := parse(object)
	attributes.VersionedObject.Set(now)
	operation := admission.Create
	var before *unstructured.Unstructured
	if old != "" {
		operation, before = admission.Update, parse(old)
		attributes.VersionedOldObject.Set(before)
	}
	attributes.Attributes = admission.NewAttributesRecord(now, before, gvk, "", "name", schema.GroupVersionResource{}, "", operation, nil, false, nil)
	results, _, err := p.evaluator.ForInput(context.Background(), attributes, &admissionv1.AdmissionRequest{}, plugincel.OptionalVariableBindings{}, nil, celconfig.RuntimeCELCostBudget)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for i, r := range results {
		switch {
		case r.Error != nil:
			t.Errorf("%s: %v", p.messages[i], r.Error)
		case r.EvalResult.Value() != true:
			list = append(list, p.messages[i])
		}
	}
	return list
}

// TestWarnings checks that only new and changed values of deprecated fields are reported.
func TestWarnings(t *testing.T) {
	p := newPolicy(t, generated(t))
	const size, name = "spec.size is deprecated: use pieces, which count", "spec.items[*].parts[*].old-name is deprecated: use name"
	const parts = `{"spec": {"size": 3, "items": [{}, {"parts": {"a": {"old-name": "x"}, "b": {"name": "y"}}}]}}`
	for title, test := range map[string]struct {
		object, old string
		want        []string
	}{
		"an empty object":         {object: `{}`},
		"a default":               {object: `{"spec": {"size": 3}}`},
		"another value":           {object: `{"spec": {"size": 4}}`, want: []string{size}},
		"an unchanged value":      {object: `{"spec": {"size": 4}}`, old: `{"spec": {"size": 4}}`},
		"a changed value":         {object: `{"spec": {"size": 5}}`, old: `{"spec": {"size": 4}}`, want: []string{size}},
		"a value is added":        {object: `{"spec": {"size": 5}}`, old: `{"spec": {}}`, want: []string{size}},
		"a value is removed":      {object: `{"spec": {"items": []}}`, old: `{"spec": {"size": 5}}`},
		"a default after another": {object: `{"spec": {"size": 3}}`, old: `{"spec": {"size": 5}}`},
		"a nested value":          {object: parts, want: []string{name}},
		"an unchanged nested one": {object: parts, old: parts},
		"an item moves":           {object: strings.Replace(parts, "[{}, ", "[", 1), old: parts},
		"a changed nested one":    {object: strings.Replace(parts, `"x"`, `"z"`, 1), old: parts, want: []string{name}},
		"a nested one is added":   {object: parts, old: `{"spec": {"size": 3}}`, want: []string{name}},
		"both":                    {object: strings.Replace(parts, `3`, `7`, 1), want: []string{size, name}},
		"the status":              {object: `{"status": {"old": "x"}}`},
	} {
		if diff := cmp.Diff(test.want, p.warnings(t, test.object, test.old)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", title, diff)
		}
	}
}
