package crds

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/yaml"

	"github.com/kindsmith/kindsmith/test/crds/documents"
)

// trees are the packages that both tools write definitions for.
var trees = map[string][]string{
	"Cluster API":  {"sigs.k8s.io/cluster-api/api/..."},
	"cert-manager": {"github.com/cert-manager/cert-manager/pkg/apis/..."},
	"Gateway API":  {"sigs.k8s.io/gateway-api/apis/...", "sigs.k8s.io/gateway-api/apisx/..."},
}

// class is a class of allowed differences.
type class struct {
	// Path is the path of the difference: elements are separated by "/", "*" matches one
	// element and "**" any number.
	Path string `json:"path"`
	// Reason explains why kindsmith's definition is right.
	Reason string `json:"reason"`

	count int
}

// TestEqual compares the definitions that both tools write. Each difference is of a
// class in differences.yaml, and each class has a difference.
func TestEqual(t *testing.T) {
	text, err := os.ReadFile("differences.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var classes []*class
	if err := yaml.UnmarshalStrict(text, &classes); err != nil {
		t.Fatal(err)
	}
	kindsmith := build(t)
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		t.Run(name, func(t *testing.T) {
			theirs, ours := controllerGen(t, trees[name]), kindsmith(t, trees[name])
			equal := 0
			for _, file := range slices.Sorted(maps.Keys(theirs)) {
				found := documents.Compare(theirs[file], ours[file])
				if len(found) == 0 {
					equal++
				}
				for _, d := range found {
					if !allowed(classes, d) {
						t.Errorf("%s: at %s (-controller-gen +kindsmith):\n%s", file, strings.Join(d.Path, "/"), cmp.Diff(d.Theirs, d.Ours))
					}
				}
			}
			for file := range ours {
				if theirs[file] == nil {
					t.Errorf("%s: controller-gen writes no such file", file)
				}
			}
			t.Logf("%d definitions: %d equal, %d different", len(theirs), equal, len(theirs)-equal)
		})
	}
	for _, c := range classes {
		if c.count == 0 {
			t.Errorf("differences.yaml: nothing differs at %s", c.Path)
		}
		t.Logf("%4d differences: %s: %s", c.count, c.Path, c.Reason)
	}
}

// binary returns the path of kindsmith, built in the repository's workspace: by make test, or here.
func binary(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("KINDSMITH_BINARY"); built != "" {
		return built
	}
	binary := filepath.Join(t.TempDir(), "kindsmith")
	cmd := exec.Command("go", "build", "-o", binary, "./cmd/kindsmith")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOWORK=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// build builds kindsmith in the repository's workspace and returns a function that
// runs it.
func build(t *testing.T) func(*testing.T, []string) map[string]any {
	t.Helper()
	binary := binary(t)
	return func(t *testing.T, patterns []string) map[string]any {
		t.Helper()
		out := t.TempDir()
		cmd := exec.Command(binary, append([]string{"generate", "--output-root", out, "--crd-dir", out, "--policy-dir="}, patterns...)...)
		cmd.Env = append(os.Environ(), "GOWORK=off", "KINDSMITH_CACHE=off")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("kindsmith: %v\n%s", err, text)
		}
		files := map[string]any{}
		paths, err := filepath.Glob(filepath.Join(out, "*.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = parse(t, path, text)
		}
		return files
	}
}

// controllerGen runs controller-gen on packages.
func controllerGen(t *testing.T, patterns []string) map[string]any {
	t.Helper()
	t.Setenv("GOWORK", "off")
	var gen genall.Generator = crd.Generator{}
	generators := genall.Generators{&gen}
	run, err := generators.ForRoots(patterns...)
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	out := memory{}
	run.OutputRules = genall.OutputRules{Default: out}
	run.ErrorWriter = &errs
	if run.Run() {
		t.Fatalf("controller-gen: %s", &errs)
	}
	files := map[string]any{}
	for name, b := range out {
		files[name] = parse(t, name, b.Bytes())
	}
	return files
}

// memory collects the output of a generator.
type memory map[string]*bytes.Buffer

func (m memory) Open(_ *loader.Package, name string) (io.WriteCloser, error) {
	m[name] = &bytes.Buffer{}
	return nopCloser{m[name]}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// parse reads a definition.
func parse(t *testing.T, name string, text []byte) any {
	t.Helper()
	object, err := documents.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return object
}

// allowed reports whether a difference is of a class, and counts it.
func allowed(classes []*class, d documents.Difference) bool {
	for _, c := range classes {
		if matches(strings.Split(c.Path, "/"), d.Path) {
			c.count++
			return true
		}
	}
	return false
}

func matches(pattern, path []string) bool {
	switch {
	case len(pattern) == 0:
		return len(path) == 0
	case pattern[0] == "**":
		return matches(pattern[1:], path) || len(path) > 0 && matches(pattern, path[1:])
	case len(path) == 0:
		return false
	}
	return (pattern[0] == "*" || pattern[0] == path[0]) && matches(pattern[1:], path[1:])
}
