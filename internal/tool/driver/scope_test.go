package driver_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// owner returns the first half of a code.
func owner(c diag.Code) string {
	name, _, _ := strings.Cut(c.String(), "/")
	return name
}

// TestProtects checks what codes protect: each emitter writes a part of its own, its codes protect that part, and only
// codes about Go itself, about files, and those of the emitter of deep copies protect deep copies.
func TestProtects(t *testing.T) {
	var parts diag.Parts
	for _, e := range driver.Emitters() {
		if e.Part == 0 || parts&e.Part != 0 || e.Part&(e.Part-1) != 0 {
			t.Errorf("%s has not a part of its own", e.Name)
		}
		parts |= e.Part
		for _, code := range e.Codes {
			if code.Protects() != e.Part {
				t.Errorf("%s is of %s and protects other parts", code, e.Name)
			}
		}
	}
	if parts|diag.Manifests != diag.Everything {
		t.Error("there are parts without an emitter")
	}
	mayProtectCopies := []string{"load", "driver", "deepcopy", "baseline", "breaking"}
	for _, code := range driver.Codes() {
		if code.Protects()&diag.DeepCopy != 0 && !slices.Contains(mayProtectCopies, owner(code)) {
			t.Errorf("%s blocks deep copies", code)
		}
	}
	if !slices.ContainsFunc(load.Codes(), func(c diag.Code) bool { return c.Protects()&diag.DeepCopy != 0 }) {
		t.Error("packages that do not compile do not block deep copies")
	}
	for _, d := range driver.Tags().All() {
		for _, code := range d.AllCodes() {
			if code.Firm() {
				t.Errorf("%s cannot be a warning, but a tag with a mistake can be left out", code)
			}
		}
	}
}

// mistakes writes the packages of package lint's cases into a module, with one mistake each.
func mistakes(t *testing.T) (dir string) {
	t.Helper()
	paths, err := filepath.Glob("../../rules/lint/testdata/mistakes/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases", err)
	}
	dir, err = filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	for name, text := range workspacetest.Files("example.com") {
		write(t, filepath.Join(dir, name), text)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			if f.Name != "diagnostics" {
				write(t, filepath.Join(dir, strings.TrimSuffix(filepath.Base(path), ".txtar"), filepath.FromSlash(f.Name)), string(f.Data))
			}
		}
	}
	return dir
}

// TestScopeOfMistakes runs each emitter alone on packages with mistakes of every kind: the errors are those that
// protect the part, and what other runs report as errors is at most a warning. No emitter fails on the rest of a
// package with mistakes.
func TestScopeOfMistakes(t *testing.T) {
	dir := mistakes(t)
	defer driver.OnFailure(func(e *emit.Emitter, err error) { t.Errorf("%s fails on a package with mistakes: %v", e.Name, err) })()
	var w driver.Workspace
	all := &diag.Bag{}
	if _, err := w.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, CRDDir: "crds", PolicyDir: "policies"}, all); err != nil || !all.HasErrors() {
		t.Fatal("the packages have no mistakes", err)
	}
	for _, e := range driver.Emitters() {
		t.Run(e.Name, func(t *testing.T) {
			bag := &diag.Bag{}
			cfg := driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, Only: []string{e.Name}, CRDDir: "crds", PolicyDir: "policies"}
			out, err := w.Generate(cfg, bag)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range bag.All() {
				if d.Code.Protects()&e.Part == 0 {
					t.Errorf("%s: %s [%s] is not about the part", d.Span, d.Message, d.Code)
				}
			}
			if e.Part == diag.DeepCopy && !bag.HasErrors() && len(out.Files) < 50 {
				t.Errorf("only %d files are written", len(out.Files))
			}
			if e.Part == diag.Validation && !bag.HasErrors() {
				t.Error("mistakes in tags are no errors")
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
