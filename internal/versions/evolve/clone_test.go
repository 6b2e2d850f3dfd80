package evolve_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
)

// TestProjectKeepsItsInput lowers every case once and projects it twice: the results and
// diagnostics are equal, and the lowered model is unchanged.
func TestProjectKeepsItsInput(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dir := t.TempDir()
	writeCases(t, dir, paths)
	write(t, filepath.Join(dir, "renamed/v1/types.go"), []byte(renamed+"\ntype Spec struct {\n\t// +k8s:subfield(newKey)=+k8s:neq=\"Static\"\n"+
		"\t// +versioned:until(\"v1beta1\")=+k8s:item(newKey: \"Static\")=+k8s:neq=\"x\"\n\tItem Item `json:\"item\"`\n}\n"))
	m := lowered(t, dir, &diag.Bag{}, "./...")
	before := text(t, m)
	var results, diagnostics []string
	for range 2 {
		bag := &diag.Bag{}
		results = append(results, text(t, evolve.Project(m, driver.Tags(), nil, bag)))
		diagnostics = append(diagnostics, string(goldentest.Diagnostics(bag.All(), "")))
		if after := text(t, m); after != before {
			t.Fatalf("projecting changed the model that it was given:\n%s", firstDifference(before, after))
		}
	}
	if results[0] != results[1] {
		t.Errorf("the second projection has another model:\n%s", firstDifference(results[0], results[1]))
	}
	if diagnostics[0] != diagnostics[1] {
		t.Errorf("the second projection has other diagnostics:\n%s", firstDifference(diagnostics[0], diagnostics[1]))
	}
	if results[0] == before {
		t.Error("projecting added nothing")
	}
}

func text(t *testing.T, m *model.Model) string {
	t.Helper()
	out, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// firstDifference returns the lines around the first differing byte.
func firstDifference(a, b string) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-200):min(len(s), i+200)] }
	return "was: " + around(a) + "\nis: " + around(b)
}
