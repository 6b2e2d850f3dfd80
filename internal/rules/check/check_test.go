package check_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestMistakes compares the diagnostics of a package with every mistake with a golden file, and
// requires a case for every code.
func TestMistakes(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/mistakes"}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	check.Check(m, driver.Tags(), bag)
	out := goldentest.Diagnostics(bag.All(), "testdata/mistakes/")
	goldentest.Check(t, "testdata/mistakes/diagnostics.txt", out)
	for _, code := range check.Codes() {
		if !strings.Contains(string(out), "["+code.String()+"]") {
			t.Errorf("no case has %s", code)
		}
	}
}

// TestOlder checks that mistakes that only older versions have name these.
func TestOlder(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"./testdata/older/v1"}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	check.Check(m, driver.Tags(), bag)
	goldentest.Check(t, "testdata/older/diagnostics.txt", goldentest.Diagnostics(bag.All(), "testdata/older/v1/"))
}

// TestClean checks a package without mistakes.
func TestClean(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"../../emit/unions/testdata/table"}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	check.Check(m, driver.Tags(), bag)
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
}
