package driver_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/typecheck"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestKubernetesAPI generates for every package of k8s.io/api, and type-checks the result in a copy of
// that module.
func TestKubernetesAPI(t *testing.T) {
	if testing.Short() {
		t.Skip("checking all of k8s.io/api takes half a minute")
	}
	out := t.TempDir()
	bag := &diag.Bag{}
	made, err := driver.Generate(driver.Config{
		ModelConfig: driver.ModelConfig{Patterns: []string{"k8s.io/api/..."}},
		Only:        []string{"deepcopy", "validation"},
		OutputRoot:  out,
	}, bag)
	if err != nil {
		t.Fatal(err)
	}
	files := made.Files
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	if len(files) < 50 {
		t.Fatalf("%d files were generated; every group of k8s.io/api has at least one", len(files))
	}
	if _, err := driver.Write(files); err != nil {
		t.Fatal(err)
	}

	module := goList(t, "-m", "-f", "{{.Dir}}", "k8s.io/api")
	copied, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	copyTree(t, module, copied)
	copyTree(t, filepath.Join(out, "k8s.io", "api"), copied)
	runtime := goList(t, "-m", "-f", "{{.Dir}}", "github.com/kindsmith/kindsmith/runtime")
	work := "go 1.26.0\n\nuse (\n\t" + copied + "\n\t" + runtime + "\n)\n"
	if err := os.WriteFile(filepath.Join(copied, "go.work"), []byte(work), 0o644); err != nil {
		t.Fatal(err)
	}
	n, err := typecheck.New(copied).Check([]string{"GOWORK=" + filepath.Join(copied, "go.work"), "GOFLAGS="}, "./...")
	if err != nil {
		t.Errorf("the generated code does not compile: %v", err)
	}
	if n < 50 {
		t.Errorf("%d packages were checked", n)
	}
}

func goList(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

// copyTree copies Go sources and module files.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if entry.IsDir() {
			if entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			return os.MkdirAll(target, 0o755)
		}
		if name := entry.Name(); !strings.HasSuffix(name, ".go") && name != "go.mod" && name != "go.sum" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
