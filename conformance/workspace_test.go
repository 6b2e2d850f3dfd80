package conformance_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/corpus"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// modulePath is the path of the module with all cases, one folder per case.
const modulePath = "conformance.example.com"

// workspace has the cases as packages of one module, and their model.
type workspace struct {
	dir   string
	model *model.Model
	cases []*loadedCase
	// stray are diagnostics outside of all cases.
	stray []*diag.Diagnostic
}

// loadedCase is a case in the workspace.
type loadedCase struct {
	*corpus.Case
	// found are the diagnostics of loading and checking the case.
	found []*diag.Diagnostic
	// judged are the struct types of objects, the first of types.go first.
	judged []string
	// schemas are the published schemas, by enabled options.
	schemas map[string]*schemas
}

// ok reports whether the case has no errors, so that code can be generated.
func (c *loadedCase) ok() bool {
	return !slices.ContainsFunc(c.found, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// pkg returns the import path of the case's package.
func (c *loadedCase) pkg() string { return modulePath + "/" + c.Name + "/v1" }

var shared struct{ once func() (*workspace, error) }

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// Loading and building both happen in the workspace, offline.
	if err := workspacetest.Use(dir, func(name, value string) { _ = os.Setenv(name, value) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	shared.once = sync.OnceValues(func() (*workspace, error) { return newWorkspace(dir) })
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// load returns the workspace, which all tests share.
func load(t *testing.T) *workspace {
	t.Helper()
	w, err := shared.once()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func newWorkspace(dir string) (*workspace, error) {
	cases, err := corpus.Load(workspacetest.Root())
	if err != nil {
		return nil, err
	}
	derived, err := literalCases()
	if err != nil {
		return nil, err
	}
	cases = append(cases, derived...)
	w := &workspace{dir: dir}
	for _, c := range cases {
		judged, err := c.Judged()
		if err != nil {
			return nil, err
		}
		w.cases = append(w.cases, &loadedCase{Case: c, judged: judged, schemas: map[string]*schemas{}})
	}
	if err := w.write(); err != nil {
		return nil, err
	}
	bag := &diag.Bag{}
	// The module is in a workspace with this repository, which resolves its imports.
	if w.model, err = driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, bag); err != nil {
		return nil, err
	}
	check.Check(w.model, driver.Tags(), bag)
	for _, l := range driver.Lints() {
		if l.Always {
			l.Run(&lint.Pass{Model: w.model, Tags: driver.Tags(), Diags: bag})
		}
	}
	w.sort(bag)
	return w, nil
}

func (w *workspace) write() error {
	files := workspacetest.Files(modulePath)
	for _, c := range w.cases {
		for name, content := range c.Sources() {
			files[c.Name+"/"+name] = string(content)
		}
		files[c.Name+"/kinds/v1/kinds.go"] = c.Kinds(modulePath, c.judged)
	}
	for name, content := range files {
		if err := w.put(name, []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file of the workspace.
func (w *workspace) put(name string, content []byte) error {
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// sort assigns diagnostics to the cases of their files.
func (w *workspace) sort(bag *diag.Bag) {
	for _, d := range bag.All() {
		c := w.caseOf(d)
		if c == nil {
			w.stray = append(w.stray, d)
			continue
		}
		c.found = append(c.found, d)
	}
}

func (w *workspace) caseOf(d *diag.Diagnostic) *loadedCase {
	if d.Span.File == nil {
		return nil
	}
	for _, c := range w.cases {
		if strings.HasPrefix(d.Span.File.Path, c.Name+"/") {
			return c
		}
	}
	return nil
}

// text formats diagnostics with the paths of the case's sections.
func (c *loadedCase) text(found []*diag.Diagnostic) []byte {
	text := goldentest.Diagnostics(found, "")
	return []byte(strings.NewReplacer(c.Name+"/v1/", "", c.Name+"/", "").Replace(string(text)))
}
