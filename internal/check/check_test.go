package check_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/goldentest"
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
	var out bytes.Buffer
	if err := diag.Render(&out, diag.Text, bag.All(), diag.Options{}); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "testdata/mistakes/findings.txt", out.Bytes())
	for _, code := range check.Codes() {
		// check/not-built needs a planned tag, and there may be none.
		if code.String() != "check/not-built" && !strings.Contains(out.String(), "["+code.String()+"]") {
			t.Errorf("no case has %s", code)
		}
	}
}

// TestClean checks a package without mistakes.
func TestClean(t *testing.T) {
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: []string{"../emit/unions/testdata/table"}}, bag)
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
