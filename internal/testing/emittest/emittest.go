// Package emittest runs an emitter on packages, for the tests of emitters.
//
// [Model] loads packages, [Golden] compares the files of an emitter with those of testdata, and [Package] and [Roots] return
// them.
package emittest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// Model loads packages and returns their model with older versions, and the diagnostics. Patterns
// are relative to the test's folder. At the end of the test it checks that all codes in the bag
// have pages.
func Model(t testing.TB, patterns ...string) (*model.Model, *diag.Bag) {
	t.Helper()
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Patterns: patterns}, bag)
	if err != nil {
		t.Fatalf("loading %v: %v", patterns, err)
	}
	t.Cleanup(func() {
		listed := driver.Codes()
		for _, d := range bag.All() {
			if !slices.Contains(listed, d.Code) {
				t.Errorf("the code %s has no page; check that its emitter lists its Codes", d.Code)
			}
		}
	})
	return m, bag
}

// Golden runs the emitter on packages and compares its output with the files next to
// the packages' sources, which -update rewrites. Then it checks that the packages
// compile. Diagnostics are test errors.
func Golden(t *testing.T, e *emit.Emitter, patterns ...string) {
	t.Helper()
	m, bag := Model(t, patterns...)
	dirs := Emit(t, e, m, bag)
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	if t.Failed() || len(dirs) == 0 {
		return
	}
	cmd := exec.Command("go", append([]string{"vet"}, dirs...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the generated code does not pass go vet: %v\n%s", err, out)
	}
}

// Emit runs the emitter on every root and generated package of the model,
// compares the files with those on disk, and returns the packages' folders.
func Emit(t *testing.T, e *emit.Emitter, m *model.Model, bag *diag.Bag) []string {
	t.Helper()
	var dirs []string
	err := e.Run(context(m, bag), nil, func(c *emit.Context, f emit.File) {
		dir := c.Package.Dir
		if f.Folder == emit.InCRDs {
			dir = filepath.Join(dir, "crd")
		}
		if goldentest.Updating() {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		goldentest.Check(t, filepath.Join(dir, f.Name), f.Content)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Packages {
		if p.Root {
			dirs = append(dirs, relative(t, p.Dir))
		}
	}
	return dirs
}

func context(m *model.Model, bag *diag.Bag) emit.Context {
	return emit.Context{Model: m, Tags: driver.Tags(), Rules: tag.Programs(m, driver.Tags()), Steps: steps.Build(m), Diags: bag}
}

// Package runs the emitter on one package and returns its files.
func Package(t testing.TB, e *emit.Emitter, m *model.Model, p *model.Package, bag *diag.Bag) []emit.File {
	t.Helper()
	c := context(m, bag)
	c.Package = p
	files, err := e.Emit(&c)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Roots runs the emitter on the root packages that match the patterns. It returns the files and
// the diagnostics.
func Roots(t testing.TB, e *emit.Emitter, patterns ...string) (files []emit.File, found []*diag.Diagnostic) {
	t.Helper()
	m, bag := Model(t, patterns...)
	for _, p := range m.Packages {
		if p.Root {
			files = append(files, Package(t, e, m, p, bag)...)
		}
	}
	return files, bag.All()
}

// Summary returns the severities, codes and texts of diagnostics.
func Summary(list []*diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range list {
		fmt.Fprintf(&b, "%s: %s %s\n", d.Severity, d.Code, d.Span.Text())
	}
	return b.String()
}

// Test generates code for a package and runs the package's tests with it. The go
// command sees the code in an overlay, so that none of it is kept. It returns the
// exit code and the output.
func Test(t *testing.T, dir string, cfg driver.Config, args ...string) (code int, out string) {
	t.Helper()
	bag := &diag.Bag{}
	cfg.Dir, cfg.Patterns = dir, []string{"."}
	generated, err := driver.Generate(cfg, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Fatalf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	temp := t.TempDir()
	for i, f := range generated.Files {
		if f.Content == nil { // is to be removed
			overlay.Replace[f.Path] = ""
			continue
		}
		file := filepath.Join(temp, strconv.Itoa(i)+".go")
		overlay.Replace[f.Path] = file
		if err := source.WriteFile(file, f.Content); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(temp, "overlay.json")
	if err := source.WriteFile(file, text); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"test", "-overlay", file}, args...)...)
	cmd.Dir = dir
	output, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(output)
}

func relative(t *testing.T, dir string) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	rel, err := filepath.Rel(wd, dir)
	if err != nil {
		t.Fatal(err)
	}
	return "./" + strings.TrimPrefix(filepath.ToSlash(rel), "./")
}
