package coverage_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit/coverage"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// config generates what the tests of a package need.
var config = driver.Config{Only: []string{"deepcopy", "validation"}, With: []string{"coverage"}}

func TestRules(t *testing.T) { emittest.Golden(t, coverage.Emitter(), "./testdata/rules") }

// TestMissing runs tests that break one of two rules. They fail and name the other.
func TestMissing(t *testing.T) {
	code, out := emittest.Test(t, "testdata/missing", config)
	want := "validation coverage: no test breaks the rule Box sizes[*] FieldValueInvalid minimum\n"
	if code != 1 || !strings.Contains(out, want) || strings.Contains(out, "label") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := emittest.Test(t, "testdata/missing", config, "-run", "TestLabel"); code != 0 {
		t.Errorf("of some tests too much was asked: exit code %d:\n%s", code, out)
	}
}

// TestAllowed runs tests with a file of exceptions, in a package with a hand-written TestMain.
func TestAllowed(t *testing.T) {
	if code, out := emittest.Test(t, "testdata/allowed", config); code != 0 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	copied := copyPackage(t, "testdata/allowed")
	stale := "- {kind: Box, path: label, reason: none is long}\n"
	exceptions := filepath.Join(copied, "testdata", "validation-coverage.yaml")
	before, err := os.ReadFile(exceptions)
	if err != nil {
		t.Fatal(err)
	}
	write(t, exceptions, append(before, stale...))
	code, out := emittest.Test(t, copied, config)
	if want := "the exception for Box label is unused"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("with a stale exception: exit code %d:\n%s", code, out)
	}
	write(t, exceptions, bytes.Replace(before, []byte("boxes come in no sizes yet"), []byte(`""`), 1))
	code, out = emittest.Test(t, copied, config)
	if want := "the exception for Box sizes[*] FieldValueInvalid minimum has no reason"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("without a reason: exit code %d:\n%s", code, out)
	}
}

// TestOwnTestMain checks that a TestMain that does not check coverage is reported, and that only the rules for tests are
// not written because of it.
func TestOwnTestMain(t *testing.T) {
	copied := copyPackage(t, "testdata/allowed")
	name := filepath.Join(copied, "box_test.go")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, bytes.Replace(content, []byte("allowed.ValidationCoverage.Run(m)"), []byte("m.Run()"), 1))
	bag, own := &diag.Bag{}, config
	own.Dir, own.Patterns = copied, []string{"."}
	out, err := driver.Generate(own, bag)
	if err != nil {
		t.Fatal(err)
	}
	list := bag.All()
	if !slices.Equal(out.Blocked, []string{"coverage"}) || len(list) != 1 || list[0].Code.String() != "coverage/not-run" || list[0].Span.Text() != "TestMain" {
		t.Errorf("%v are not written, and this was found: %v", out.Blocked, list)
	}
	for _, f := range out.Files {
		if strings.HasSuffix(f.Name, "_test.go") {
			t.Errorf("%s is written", f.Name)
		}
	}
}

// copyPackage copies a package of testdata to a folder beside it, where its imports resolve.
func copyPackage(t *testing.T, dir string) string {
	t.Helper()
	to, err := os.MkdirTemp("testdata", "copy")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(to) })
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(to, "box_test.go")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, bytes.ReplaceAll(content, []byte("coverage/testdata/allowed"), []byte("coverage/testdata/"+filepath.Base(to))))
	return to
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
