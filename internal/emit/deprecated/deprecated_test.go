package deprecated_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	registration "k8s.io/api/admissionregistration/v1"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/policytest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
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
	return policytest.Parse(t, out.Files[0].Content)
}

// TestWarnings checks that only new and changed values of deprecated fields are reported.
func TestWarnings(t *testing.T) {
	p := policytest.New(t, generated(t))
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
		if diff := cmp.Diff(test.want, p.Failures(t, test.object, test.old)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", title, diff)
		}
	}
}
