package lint_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestConventions runs each convention on the package in its testdata/cases and
// compares the diagnostics with diagnostics.txt there. The diagnostics must include every
// code of the convention.
func TestConventions(t *testing.T) {
	for _, l := range driver.Lints() {
		t.Run(l.Name, func(t *testing.T) {
			setup := &diag.Bag{}
			dir := filepath.Join(l.Name, "testdata", "cases")
			m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, setup)
			if err != nil {
				t.Fatal(err)
			}
			if list := setup.All(); len(list) > 0 {
				t.Fatalf("the cases have other mistakes: %s: %s", list[0].Span, list[0].Message)
			}
			bag := &diag.Bag{}
			l.Run(&lint.Pass{Model: m, Tags: driver.Tags(), Diags: bag})
			found := map[diag.Code]bool{}
			for _, d := range bag.All() {
				found[d.Code] = true
				if !slices.Contains(l.Codes, d.Code) {
					t.Errorf("%s: the convention does not list the code %s", d.Span, d.Code)
				}
			}
			for _, code := range l.Codes {
				if !found[code] {
					t.Errorf("no case has a diagnostic with the code %s", code)
				}
			}
			goldentest.Check(t, filepath.Join(dir, "diagnostics.txt"), goldentest.Diagnostics(bag.All(), ""))
		})
	}
}

// TestDocumented checks that the documentation of a convention is complete.
func TestDocumented(t *testing.T) {
	for _, l := range driver.Lints() {
		for part, text := range map[string]string{"summary": l.Summary, "doc": l.Doc, "good example": l.Good, "bad example": l.Bad} {
			if text == "" {
				t.Errorf("%s has no %s", l.Name, part)
			}
		}
		if matches, _ := filepath.Glob(filepath.Join(l.Name, "*.go")); len(matches) == 0 {
			t.Errorf("the name of %s is not that of its folder", l.Name)
		}
	}
}
