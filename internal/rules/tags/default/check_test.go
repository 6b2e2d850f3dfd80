package defaulttag_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	defaulttag "github.com/kindsmith/kindsmith/internal/rules/tags/default"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestMistakes compares the diagnostics of testdata/mistakes, with their source text, with a golden
// file.
func TestMistakes(t *testing.T) { diagnostics(t, "mistakes") }

// TestRules does the same for defaults that break rules, and for similar ones that do not.
func TestRules(t *testing.T) { diagnostics(t, "rules") }

func diagnostics(t *testing.T, name string) {
	m, bag := emittest.Model(t, "./testdata/"+name)
	check.Check(m, driver.Tags(), bag)
	goldentest.Check(t, "testdata/"+name+"/diagnostics.txt", goldentest.Diagnostics(bag.All(), "testdata/"+name+"/"))
}

// TestCodes compares the codes of the cases above with those of the definition.
func TestCodes(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/mistakes", "./testdata/rules")
	check.Check(m, driver.Tags(), bag)
	listed := defaulttag.Definition().Codes
	seen := map[diag.Code]bool{}
	for _, d := range bag.All() {
		if !slices.Contains(listed, d.Code) && strings.HasPrefix(d.Code.String(), "default/") {
			t.Errorf("%s is not listed", d.Code)
		}
		seen[d.Code] = true
	}
	for _, code := range listed {
		if !seen[code] {
			t.Errorf("%s has no case", code)
		}
	}
}

func TestAliases(t *testing.T) {
	d := defaulttag.Definition()
	if d.Folder() != "default" || !slices.Equal(d.Aliases, []string{"k8s:default", "kubebuilder:default"}) {
		t.Errorf("the tag is %s, with aliases %v", d.Folder(), d.Aliases)
	}
}
