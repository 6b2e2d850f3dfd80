package evolve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/evolve"
	"github.com/kindsmith/kindsmith/internal/goldentest"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/lower"
	"github.com/kindsmith/kindsmith/internal/model"
)

// TestDiagnostics projects the packages of every archive in testdata and compares the diagnostics
// with the archive's section "diagnostics". It loads all archives at once, because loading is slow.
func TestDiagnostics(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dir := t.TempDir()
	archives := writeCases(t, dir, paths)
	_, bag := project(t, dir, "./...")
	seen := map[string]bool{"versions/not-loaded": true} // TestNotLoaded has it
	for _, d := range bag.All() {
		seen[d.Code.String()] = true
	}
	for _, code := range evolve.Codes() {
		if !seen[code.String()] {
			t.Errorf("no case has a diagnostic %s", code)
		}
	}
	for _, path := range paths {
		t.Run(caseName(path), func(t *testing.T) {
			goldentest.CheckSection(t, path, archives[path], "diagnostics", goldentest.Diagnostics(bag.All(), caseName(path)+"/"))
		})
	}
}

// writeCases writes the Go files of archives to a folder each.
func writeCases(t *testing.T, dir string, paths []string) map[string]*txtar.Archive {
	t.Helper()
	archives := map[string]*txtar.Archive{}
	for _, path := range paths {
		archives[path] = goldentest.Archive(t, path)
		for _, f := range archives[path].Files {
			if strings.HasSuffix(f.Name, ".go") {
				write(t, filepath.Join(dir, caseName(path), f.Name), f.Data)
			}
		}
	}
	return archives
}

// TestNotLoaded loads only the newest version, although an older one has hand-written files.
func TestNotLoaded(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(twoVersions+"type A struct {\n\tB string `json:\"b\"`\n}\n"))
	_, bag := project(t, dir, "./v1")
	if got := goldentest.Diagnostics(bag.All(), ""); len(got) > 0 {
		t.Fatalf("nothing stands in the way, and yet:\n%s", got)
	}
	write(t, filepath.Join(dir, "v1beta1/helpers.go"), []byte("package v1beta1\n\nfunc Help(in *A) {}\n"))
	_, bag = project(t, dir, "./v1")
	if got := string(goldentest.Diagnostics(bag.All(), "")); !strings.Contains(got, "[versions/not-loaded]") || !strings.Contains(got, "helpers.go") {
		t.Errorf("a hand-written file outside of the load was not reported:\n%s", got)
	}
	m, bag := project(t, dir, "./...")
	if got := goldentest.Diagnostics(bag.All(), ""); len(got) > 0 {
		t.Errorf("both packages were asked for, and yet:\n%s", got)
	}
	older := m.Package("example.com/cases/v1beta1")
	if !older.Generated || older.Type("A") == nil || older.Funcs["Help"] == nil {
		t.Errorf("the older version should be generated beside the hand-written function: %+v", older)
	}
}

// TestProjectTwice projects a projected model again.
func TestProjectTwice(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(twoVersions+"type A struct {\n\t// +versioned:until(\"v1beta1\")=+k8s:maxLength=3\n\tB string `json:\"b\"`\n}\n"))
	m, bag := project(t, dir, "./v1")
	before := len(m.Packages)
	m = evolve.Project(m, driver.Tags(), nil, bag)
	if len(m.Packages) != before || len(goldentest.Diagnostics(bag.All(), "")) > 0 {
		t.Errorf("a second projection changed the model: %d packages, then %d; %s", before, len(m.Packages), goldentest.Diagnostics(bag.All(), ""))
	}
	if got := m.Package("example.com/cases/v1").Type("A").Field("B").Tags; len(got) != 0 {
		t.Errorf("until still holds in the newest version: %v", got)
	}
	older := m.Package("example.com/cases/v1beta1").Type("A").Field("B").Tags
	if len(older) != 1 || older[0].Name != "k8s:maxLength" {
		t.Errorf("until does not hold in the older version: %v", older)
	}
}

// TestBoundOfOldVersions reads controller-gen's bound on a duration, which is a tag, in
// the versions that have it.
func TestBoundOfOldVersions(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "v1/types.go"), []byte(twoVersions+"import \"time\"\n\ntype A struct {\n"+
		"\t// +versioned:until(\"v1beta1\")=+kubebuilder:validation:Minimum=1s\n\tB time.Duration `json:\"b\"`\n}\n"))
	m, bag := project(t, dir, "./v1")
	older := m.Package("example.com/cases/v1beta1").Type("A").Field("B").Tags
	if len(older) != 1 || !older[0].Is(model.RoleMinimum) || len(m.Package("example.com/cases/v1").Type("A").Field("B").Tags) > 0 {
		t.Errorf("v1beta1 has %v\n%s", older, goldentest.Diagnostics(bag.All(), ""))
	}
}

const twoVersions = "// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\npackage v1\n\n"

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

// project loads a folder as the module example.com/cases and projects it.
func project(t *testing.T, dir string, patterns ...string) (*model.Model, *diag.Bag) {
	t.Helper()
	bag := &diag.Bag{}
	return evolve.Project(lowered(t, dir, bag, patterns...), driver.Tags(), nil, bag), bag
}

// lowered loads a folder as the module example.com/cases.
func lowered(t *testing.T, dir string, bag *diag.Bag, patterns ...string) *model.Model {
	t.Helper()
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/cases\n\ngo 1.26\n"))
	t.Setenv("GOWORK", "off")
	res, err := load.Load(load.Config{Dir: dir, Patterns: patterns}, bag)
	if err != nil {
		t.Fatal(err)
	}
	return lower.Lower(res, driver.Tags(), bag)
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
