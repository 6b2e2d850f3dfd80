package deepcopy_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/deepcopy"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// TestCoreV1 generates for the largest API package, replacing the output of
// deepcopy-gen, and compiles a copy of the package.
func TestCoreV1(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles k8s.io/api/core/v1")
	}
	const path = "k8s.io/api/core/v1"
	m, bag := emittest.Model(t, path)
	p := m.Package(path)
	files := emittest.Package(t, deepcopy.Emitter(), m, p, bag)
	for _, d := range bag.All() {
		t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
	}
	if len(files) != 1 {
		t.Fatalf("got %d files, want 1", len(files))
	}
	ours := string(files[0].Content)
	theirs, err := os.ReadFile(filepath.Join(p.Dir, deepcopy.FileName))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(theirs), "\n") {
		if strings.HasPrefix(line, "func (") && !strings.Contains(ours, line) {
			t.Errorf("deepcopy-gen writes a method that is missing: %s", line)
		}
	}

	dir := t.TempDir()
	sources, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-o", os.DevNull}
	for _, source := range sources {
		name := filepath.Base(source)
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".pb.go") {
			continue
		}
		content, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		if name == deepcopy.FileName {
			content = files[0].Content
		}
		target := filepath.Join(dir, name)
		if err := os.WriteFile(target, content, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, target)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Errorf("the package does not compile: %v\n%s", err, out)
	}
}
