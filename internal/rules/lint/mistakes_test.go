package lint_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// TestMistakes lints what authors get wrong, one mistake in each of testdata/mistakes. Archives
// without a section "diagnostics" have no mistake, although they look like it. Generate reports the
// same diagnostics as lint, except those of the conventions that lint alone checks.
func TestMistakes(t *testing.T) {
	paths, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	dir := module(t)
	archives := map[string]*txtar.Archive{}
	patterns := make([]string, len(paths))
	for i, path := range paths {
		a, name := goldentest.Archive(t, path), caseName(path)
		archives[name], patterns[i] = a, "./"+name+"/..."
		for _, f := range a.Files {
			if f.Name != "diagnostics" {
				put(t, filepath.Join(dir, name, filepath.FromSlash(f.Name)), f.Data)
			}
		}
	}
	found := lintAndGenerate(t, dir, patterns)
	// An error in one case hides nothing in the others.
	sound := slices.DeleteFunc(slices.Clone(patterns), func(p string) bool {
		return slices.ContainsFunc(found[caseOf(p)], func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
	})
	again := lintAndGenerate(t, dir, sound)
	for _, p := range sound {
		alone, together := goldentest.Diagnostics(again[caseOf(p)], ""), goldentest.Diagnostics(found[caseOf(p)], "")
		if diff := cmp.Diff(string(alone), string(together)); diff != "" {
			t.Errorf("the mistakes of other packages change what is reported (-alone +together):\n%s", diff)
		}
	}
	for _, path := range paths {
		name := caseName(path)
		t.Run(name, func(t *testing.T) {
			goldentest.CheckSection(t, path, archives[name], "diagnostics", goldentest.Diagnostics(found[name], name+"/"))
		})
	}
}

// lintAndGenerate returns what lint reports for each case, and fails the test if generate reports
// anything else about the source.
func lintAndGenerate(t *testing.T, dir string, patterns []string) map[string][]*diag.Diagnostic {
	t.Helper()
	cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: patterns}, CRDDir: "crds"}
	linted, generated := &diag.Bag{}, &diag.Bag{}
	// Most kinds of the cases have no comment.
	if _, err := driver.Lint(driver.LintConfig{Config: cfg, Disable: []string{"kinddoc"}}, linted); err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Generate(cfg, generated); err != nil {
		t.Fatal(err)
	}
	var conventions []diag.Code
	for _, l := range driver.Lints() {
		if !l.Always {
			conventions = append(conventions, l.Codes...)
		}
	}
	both := slices.DeleteFunc(linted.All(), func(d *diag.Diagnostic) bool { return slices.Contains(conventions, d.Code) })
	if diff := cmp.Diff(string(goldentest.Diagnostics(both, "")), string(goldentest.Diagnostics(generated.All(), ""))); diff != "" {
		t.Errorf("lint and generate differ (-lint +generate):\n%s", diff)
	}
	found := map[string][]*diag.Diagnostic{}
	for _, d := range linted.All() {
		name := caseOf("./" + d.Span.String())
		if d.Span.IsZero() {
			t.Errorf("a diagnostic without a position: %s [%s]", d.Message, d.Code)
		}
		found[name] = append(found[name], d)
	}
	return found
}

// caseOf returns the case of a path or pattern in the module of cases.
func caseOf(path string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "./"), "/")
	return name
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

// module makes an empty module in a workspace with this repository, which resolves its imports.
func module(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		put(t, filepath.Join(dir, name), []byte(text))
	}
	return dir
}

func put(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestExample checks that the example, with its kindsmith.yaml, has no mistakes and follows the
// conventions.
func TestExample(t *testing.T) {
	const dir = "../../../examples/database"
	bag := &diag.Bag{}
	files := source.NewFS(nil)
	s := project.Default()
	if err := s.Read(files, dir, func(*project.Option) bool { return false }, bag); err != nil {
		t.Fatal(err)
	}
	cfg := driver.LintConfig{Config: s.Config(files), Enable: s.Lint.Enable, Disable: s.Lint.Disable}
	cfg.Dir = dir
	if _, err := driver.Lint(cfg, bag); err != nil {
		t.Fatal(err)
	}
	if list := goldentest.Diagnostics(bag.All(), ""); len(list) > 0 {
		t.Errorf("the example has diagnostics:\n%s", list)
	}
}
