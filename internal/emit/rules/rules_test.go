package rules_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/testing/policytest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// generated returns the files for the kind of testdata, by the end of their names.
func generated(t *testing.T, actions ...string) (map[string][]byte, []*diag.Diagnostic) {
	t.Helper()
	bag := &diag.Bag{}
	dir := t.TempDir()
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Patterns: []string{"./testdata/v1"}}, Only: []string{"rules", "crd"}, PolicyDir: dir, CRDDir: filepath.Join(dir, "crd"),
		PolicyActions: actions, CRDs: emit.CRDs{WithoutRules: len(actions) > 0},
	}, bag)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range out.Files {
		_, end, _ := strings.Cut(filepath.Base(f.Path), "_")
		files[end] = f.Content
	}
	return files, bag.All()
}

// TestPolicy evaluates the policy on objects.
func TestPolicy(t *testing.T) {
	files, diags := generated(t, "Warn")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	p := policytest.New(t, policytest.Parse(t, files["orders_rules.yaml"]))
	for title, test := range map[string]struct {
		object, old string
		want        []string
	}{
		"valid":                 {object: `{"spec": {"size": 3, "items": [{"name": "a", "count": 2}], "labels": {"a": "b"}, "color": "Red", "memory": 5}}`},
		"no spec":               {object: `{}`, want: []string{"spec is required"}},
		"required":              {object: `{"spec": {"items": [{}]}}`, want: []string{"spec.size is required", "spec.items[*].name is required"}},
		"bounds":                {object: `{"spec": {"size": 10, "items": [{"name": "a", "count": 1}]}}`, want: []string{"spec.items[*].count: must be at least 2", "spec.size: must be at most 9"}},
		"lengths":               {object: `{"spec": {"size": 1, "namespace": "abcdef", "labels": {"a": "abcd"}, "items": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}}`, want: []string{"spec.items: the number of items must be at most 2", "spec.labels[*]: the length must be at most 3", "spec.namespace: the length must be at most 5"}},
		"an enum":               {object: `{"spec": {"size": 1, "color": "Blue"}}`, want: []string{`spec.color: must be one of "Green", "Red"`}},
		"an expression":         {object: `{"spec": {"size": 1, "low": 2, "namespace": "a"}}`, want: []string{"spec: low is above size"}},
		"an update":             {object: `{"spec": {"size": 1, "owner": "b"}}`, old: `{"spec": {"size": 1, "owner": "a"}}`, want: []string{"spec.owner: field is immutable"}},
		"an update of another":  {object: `{"spec": {"size": 2, "owner": "a"}}`, old: `{"spec": {"size": 1, "owner": "a"}}`},
		"unchanged values":      {object: `{"spec": {"size": 10, "low": 5, "items": [{"name": "a", "count": 1}]}}`, old: `{"spec": {"size": 10, "items": [{"name": "a", "count": 1}]}}`},
		"another wrong value":   {object: `{"spec": {"size": 11}}`, old: `{"spec": {"size": 10}}`, want: []string{"spec.size: must be at most 9"}},
		"another item is wrong": {object: `{"spec": {"size": 1, "items": [{"name": "a", "count": 0}]}}`, old: `{"spec": {"size": 1, "items": [{"name": "a", "count": 1}]}}`, want: []string{"spec.items[*].count: must be at least 2"}},
	} {
		if diff := cmp.Diff(test.want, p.Failures(t, test.object, test.old)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", title, diff)
		}
	}
}

// TestActions checks what actions change: definitions without rules, and policies that fail if they deny.
func TestActions(t *testing.T) {
	files, _ := generated(t)
	if files["orders_rules.yaml"] != nil || !strings.Contains(string(files["orders.yaml"]), "maximum: 9") {
		t.Error("without actions, the definition has the rules")
	}
	files, _ = generated(t, "Deny", "Audit")
	if text := string(files["orders_rules.yaml"]); !strings.Contains(text, "failurePolicy: Fail") || !strings.Contains(text, "  - Deny\n  - Audit\n") {
		t.Errorf("the policy:\n%s", text)
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.Unmarshal(files["orders.yaml"], crd); err != nil {
		t.Fatal(err)
	}
	spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
	for _, gone := range []string{"maximum", "maxLength", "maxItems", "enum:", "x-kubernetes-validations"} {
		if strings.Contains(string(files["orders.yaml"]), gone) {
			t.Errorf("the definition has %s", gone)
		}
	}
	if len(spec.Required) > 0 || spec.Properties["items"].Items.Schema.Required[0] != "name" || spec.Properties["memory"].Pattern == "" {
		t.Errorf("the definition of the spec: %+v", spec)
	}
	if _, diags := generated(t, "Deny", "Warn"); len(diags) != 1 || diags[0].Code.String() != "rules/actions" {
		t.Errorf("both actions: %v", diags)
	}
}
