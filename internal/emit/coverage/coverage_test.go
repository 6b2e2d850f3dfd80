package coverage_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emit/coverage"
	"github.com/kindsmith/kindsmith/internal/goldentest"
)

// generate returns the generated files of a package that its tests need, and the diagnostics.
func generate(t *testing.T, dir string) ([]*driver.File, *diag.Bag) {
	t.Helper()
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"."}},
		Only:        []string{"deepcopy", "validation"}, With: []string{"coverage"},
	}, bag)
	if err != nil {
		t.Fatal(err)
	}
	return out.Files, bag
}

// golden compares generated files, or only those given, with the files in the package.
func golden(t *testing.T, dir string, only ...string) {
	t.Helper()
	files, bag := generate(t, dir)
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s", d.Span, d.Message)
		}
	}
	found := false
	for _, f := range files {
		if len(only) > 0 && !slices.Contains(only, filepath.Base(f.Path)) {
			continue
		}
		goldentest.Check(t, f.Path, f.Content)
		found = found || filepath.Base(f.Path) == coverage.FileName
	}
	if !found {
		t.Errorf("%s was not written", coverage.FileName)
	}
}

// test runs the tests of a package, and returns their exit code and output.
func test(t *testing.T, dir string, args ...string) (int, string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"test"}, args...)...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

func TestRules(t *testing.T) { golden(t, "testdata/rules", coverage.FileName) }

// TestMissing runs tests that break one of two rules. They fail and name the other.
func TestMissing(t *testing.T) {
	golden(t, "testdata/missing")
	code, out := test(t, "testdata/missing")
	want := "validation coverage: no test breaks the rule Box sizes[*] FieldValueInvalid minimum\n"
	if code != 1 || !strings.Contains(out, want) || strings.Contains(out, "label") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := test(t, "testdata/missing", "-run", "TestLabel"); code != 0 {
		t.Errorf("of some tests too much was asked: exit code %d:\n%s", code, out)
	}
}

// TestAllowed runs tests with a file of exceptions, in a package with a hand-written TestMain.
func TestAllowed(t *testing.T) {
	golden(t, "testdata/allowed")
	if code, out := test(t, "testdata/allowed"); code != 0 {
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
	code, out := test(t, copied)
	if want := "the exception for Box label is unused"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("with a stale exception: exit code %d:\n%s", code, out)
	}
	write(t, exceptions, bytes.Replace(before, []byte("boxes come in no sizes yet"), []byte(`""`), 1))
	code, out = test(t, copied)
	if want := "the exception for Box sizes[*] FieldValueInvalid minimum has no reason"; code != 1 || !strings.Contains(out, want) {
		t.Errorf("without a reason: exit code %d:\n%s", code, out)
	}
}

// TestOwnTestMain checks that a TestMain that does not check coverage is reported.
func TestOwnTestMain(t *testing.T) {
	copied := copyPackage(t, "testdata/allowed")
	name := filepath.Join(copied, "box_test.go")
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, bytes.Replace(content, []byte("allowed.ValidationCoverage.Run(m)"), []byte("m.Run()"), 1))
	files, bag := generate(t, copied)
	list := bag.All()
	if len(files) != 0 || len(list) != 1 || list[0].Code.String() != "coverage/not-run" || list[0].Span.Text() != "TestMain" {
		t.Errorf("%d files were written, and this was found: %v", len(files), list)
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
