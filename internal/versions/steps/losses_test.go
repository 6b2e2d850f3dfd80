package steps_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/testing/goldentest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestReport compares the diagnostics about the packages of every archive in testdata.
func TestReport(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	write(t, filepath.Join(dir, "go.mod"), []byte("module example.com/cases\n\ngo 1.26\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./apimachinery\n"))
	write(t, filepath.Join(dir, "apimachinery/go.mod"), []byte("module k8s.io/apimachinery\n\ngo 1.26\n"))
	write(t, filepath.Join(dir, "apimachinery/pkg/apis/meta/v1/types.go"), []byte("package v1\n\ntype TypeMeta struct{}\n\ntype ObjectMeta struct {\n\tLabels      map[string]string `json:\"labels,omitempty\"`\n\tAnnotations map[string]string `json:\"annotations,omitempty\"`\n}\n"))
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	archives := map[string]*txtar.Archive{}
	for _, path := range paths {
		archives[path] = goldentest.Archive(t, path)
		for _, f := range archives[path].Files {
			if filepath.Ext(f.Name) == ".go" {
				write(t, filepath.Join(dir, name(path), f.Name), f.Data)
			}
		}
	}
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	driver.Check(m, bag)
	for _, path := range paths {
		t.Run(name(path), func(t *testing.T) {
			goldentest.CheckSection(t, path, archives[path], "diagnostics", goldentest.Diagnostics(bag.All(), name(path)+"/"))
		})
	}
}

func name(path string) string { return filepath.Base(path[:len(path)-len(filepath.Ext(path))]) }

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
