package layout

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	runtimeModule = module + "/runtime"
	apimachinery  = "k8s.io/apimachinery"
)

// TestRuntimeRequires checks that the runtime module has one direct requirement.
func TestRuntimeRequires(t *testing.T) {
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = "../../../runtime"
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Replace []any
	}
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatal(err)
	}
	for _, r := range file.Require {
		if !r.Indirect && r.Path != apimachinery {
			t.Errorf("the runtime requires %s; APIs that import generated code would require it too", r.Path)
		}
	}
	if len(file.Replace) > 0 {
		t.Errorf("the runtime replaces modules, which has no effect on those that require it")
	}
}

// TestRuntimeFloor checks that the runtime's go.mod requires the lowest versions: the Go version
// that apimachinery requires, and a minor release of apimachinery instead of a patch. make floor
// tests the runtime with these.
func TestRuntimeFloor(t *testing.T) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.GoVersion}}", runtimeModule, apimachinery)
	cmd.Dir, cmd.Env = "../../../runtime", append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(out)) // the runtime itself has no version
	if len(words) != 3 {
		t.Fatalf("go list prints %q", out)
	}
	own, version, required := words[0], words[1], words[2]
	if own != required {
		t.Errorf("the runtime requires Go %s; apimachinery %s requires only %s", own, version, required)
	}
	if !strings.HasSuffix(version, ".0") {
		t.Errorf("the runtime requires the patch %s of apimachinery", version)
	}
}

// TestAPIRequires compares the modules that API packages are built from: without
// the runtime, importing apimachinery as every API does, and with the runtime.
func TestAPIRequires(t *testing.T) {
	types := []string{apimachinery + "/pkg/apis/meta/v1", apimachinery + "/pkg/runtime", apimachinery + "/pkg/api/resource"}
	without := modules(t, types)
	for _, tc := range []struct {
		name     string
		packages []string
		more     []string // the modules that these packages add to the build of an API
	}{
		{"generated code", []string{"gen", "gen/...", "convert"}, []string{runtimeModule}},
		// coverage reads a file with apimachinery's package for YAML.
		{"all of the runtime", []string{"..."}, []string{runtimeModule, "sigs.k8s.io/yaml"}},
	} {
		imports := slices.Clone(types)
		for _, pattern := range tc.packages {
			for _, p := range list(t, "../../../runtime", "./"+pattern) {
				if !strings.Contains(p.ImportPath, "/internal/") {
					imports = append(imports, p.ImportPath)
				}
			}
		}
		more := slices.DeleteFunc(modules(t, imports), func(m string) bool { return slices.Contains(without, m) })
		if !slices.Equal(more, tc.more) {
			t.Errorf("%s: an API that imports it depends on %v, want only %v", tc.name, more, tc.more)
		}
	}
}

// modules returns the modules in the build of a package with the given imports, in a module that
// requires the runtime like a user's.
func modules(t *testing.T, imports []string) []string {
	t.Helper()
	runtime, err := filepath.Abs("../../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(runtime, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	source := "package api\n"
	for _, path := range imports {
		source += fmt.Sprintf("import _ %q\n", path)
	}
	dir := t.TempDir()
	for name, content := range map[string]string{
		"go.mod": fmt.Sprintf("module example.com/api\n\ngo 1.26.0\n\nrequire %[1]s v0.0.0\n\nreplace %[1]s => %[2]q\n", runtimeModule, runtime),
		"go.sum": string(sums),
		"api.go": source,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "list", "-mod=mod", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := strings.Fields(string(out))
	slices.Sort(found)
	return slices.Compact(found)
}
