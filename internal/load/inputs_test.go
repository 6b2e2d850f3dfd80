package load

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// write writes files below a new folder, and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestInputs loads a package that imports others from where they are, and looks
// for the places that it depends on.
func TestInputs(t *testing.T) {
	files := map[string]string{
		"a/go.mod":          "module example.com/a\n\ngo 1.26\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ../b\n",
		"a/api/types.go":    "package api\n\nimport (\n\t\"example.com/a/own\"\n\t\"example.com/b\"\n\t\"time\"\n)\n\ntype T struct {\n\tA own.T\n\tB b.T\n\tC time.Time\n}\n",
		"a/own/own.go":      "package own\n\ntype T int\n",
		"a/unused/x.go":     "package unused\n",
		"b/go.mod":          "module example.com/b\n\ngo 1.26\n",
		"b/b.go":            "package b\n\ntype T int\n",
		"other/go.mod":      "module example.com/other\n\ngo 1.26\n",
		"elsewhere/go.work": "go 1.26\n\nuse (\n\t../a\n\t../other\n)\n",
	}
	for name, test := range map[string]struct {
		work            string // the workspace, "" for none
		patterns        []string
		trees, has, not []string
	}{
		"a module": {
			patterns: []string{"./api"},
			has:      []string{"a/go.mod", "a/go.sum", "a/go.work", "a/vendor/modules.txt", "b/go.mod", "go.work", "go.mod"},
			not:      []string{"other/go.mod"},
		},
		"a workspace": {
			work: "elsewhere/go.work", patterns: []string{"./api"},
			has: []string{"a/go.mod", "b/go.mod", "other/go.mod", "elsewhere/go.work", "elsewhere/go.work.sum"},
		},
		"a tree":  {patterns: []string{"./api/...", "./own"}, trees: []string{"a/api"}},
		"a path":  {patterns: []string{"example.com/a/api/..."}, trees: []string{"a", "b"}},
		"a level": {patterns: []string{"./..."}, trees: []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, files)
			at := func(names []string) (paths []string) {
				for _, n := range names {
					paths = append(paths, filepath.Join(dir, filepath.FromSlash(n)))
				}
				return paths
			}
			t.Setenv("GOFLAGS", "")
			t.Setenv("GOWORK", "off")
			if test.work != "" {
				t.Setenv("GOWORK", at([]string{test.work})[0])
			}
			bag := &diag.Bag{}
			res, err := Load(Config{Dir: filepath.Join(dir, "a"), Patterns: test.patterns}, bag)
			if err != nil || len(bag.All()) > 0 {
				t.Fatal(err, bag.All())
			}
			for _, folder := range at([]string{"a/api", "a/own", "b"}) {
				if test.trees == nil && !slices.Contains(res.Folders(), folder) {
					t.Errorf("%s is missing of %v", folder, res.Folders())
				}
			}
			for _, folder := range res.Folders() {
				if !slices.Contains(at([]string{"a/api", "a/own", "b", "a/unused"}), folder) {
					t.Errorf("%s does not matter", folder)
				}
			}
			if got := res.Trees(); !slices.Equal(got, at(test.trees)) {
				t.Errorf("trees %v, want %v", got, test.trees)
			}
			for _, path := range at(test.has) {
				if !slices.Contains(res.ModuleFiles(), path) {
					t.Errorf("%s is missing of %v", path, res.ModuleFiles())
				}
			}
			for _, path := range at(test.not) {
				if slices.Contains(res.ModuleFiles(), path) {
					t.Errorf("%s does not matter", path)
				}
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("GOFLAGS", "-tags=a")
	before, ok := Environment()
	if !ok || !slices.Contains(before, "GOFLAGS=-tags=a") {
		t.Errorf("%v, %v", before, ok)
	}
	env := filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", env)
	if err := os.WriteFile(env, []byte("GOFLAGS=-tags=b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after, _ := Environment(); !slices.Contains(after, "GOFLAGS=-tags=b\n") {
		t.Errorf("what `go env -w` wrote is missing of %v", after)
	}
	if err := os.WriteFile(env, []byte("GOWORK=/somewhere/go.work\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := Environment(); ok {
		t.Error("a workspace that only `go env` knows is taken as known")
	}
	t.Setenv("GOENV", "off")
	for name, value := range map[string]string{"GOFLAGS": "-overlay=x.json", "GOPACKAGESDRIVER": "driver"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if _, ok := Environment(); ok {
				t.Error("taken as known")
			}
		})
	}
}
