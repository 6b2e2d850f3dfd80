package load

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
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

// TestInputs loads a package with imports from local modules, makes one change, and checks whether
// the record of the load reports it.
func TestInputs(t *testing.T) {
	files := map[string]string{
		"a/go.mod":              "module example.com/a\n\ngo 1.26\n\nrequire example.com/b v1.0.0\n\nreplace example.com/b => ../b\n",
		"a/api/types.go":        "package api\n\nimport (\n\t\"example.com/a/far\"\n\t\"example.com/a/own\"\n\t\"example.com/b\"\n\t\"time\"\n)\n\ntype T struct {\n\tA own.T\n\tB b.T\n\tC time.Time\n}\n\nfunc F() { far.F() }\n",
		"a/api/ignored.go":      "//go:build never\n\npackage api\n",
		"a/own/own.go":          "package own\n\ntype T int\n",
		"a/far/far.go":          "package far\n\nimport _ \"example.com/a/farther\"\n\nfunc F() {}\n",
		"a/farther/farther.go":  "package farther\n",
		"a/unused/x.go":         "package unused\n",
		"b/go.mod":              "module example.com/b\n\ngo 1.26\n",
		"b/b.go":                "package b\n\ntype T int\n",
		"other/go.mod":          "module example.com/other\n\ngo 1.26\n",
		"elsewhere/go.work":     "go 1.26\n\nuse (\n\t../a\n\t../other\n)\n",
		"a/api/testdata/x/x.go": "package x\n",
	}
	for name, test := range map[string]struct {
		work     string // the workspace, "" for none
		patterns []string
		// change is a file to write, or to remove if it has no content.
		change, content string
		matters         bool
	}{
		"a source that is removed":       {change: "a/api/types.go", matters: true},
		"the same again":                 {change: "a/own/own.go", content: files["a/own/own.go"]},
		"a source":                       {change: "a/own/own.go", content: "package own\n\ntype T string\n", matters: true},
		"a source of another module":     {change: "b/b.go", content: "package b\n\ntype T string\n", matters: true},
		"a new file":                     {change: "a/api/more.go", content: "package api\n", matters: true},
		"a new file of a dependency":     {change: "a/own/more.go", content: "package own\n", matters: true},
		"a new test":                     {change: "a/api/more_test.go", content: "package api\n"},
		"a file that is no source":       {change: "a/api/notes.txt", content: "notes"},
		"a file that was left out":       {change: "a/api/ignored.go", content: "package api\n", matters: true},
		"a function that is only called": {change: "a/far/far.go", content: "package far\n\nimport _ \"example.com/a/farther\"\n\nfunc F() { println() }\n"},
		"an import of such a package":    {change: "a/far/far.go", content: "package far\n\nimport _ \"example.com/a/unused\"\n\nfunc F() {}\n", matters: true},
		"a package beside":               {change: "a/unused/x.go", content: "package unused\n\ntype T int\n"},
		"the module":                     {change: "a/go.mod", content: files["a/go.mod"] + "// changed\n", matters: true},
		"another module's":               {change: "b/go.mod", content: files["b/go.mod"] + "// changed\n", matters: true},
		"a module that is not used":      {change: "other/go.mod", content: "module example.com/other\n"},
		"its checksums":                  {change: "a/go.sum", content: "\n", matters: true},
		"vendored packages":              {change: "a/vendor/modules.txt", content: "\n", matters: true},
		"an empty folder of these":       {change: "a/vendor/notes.txt", content: "notes", matters: true},
		"a workspace above":              {change: "go.work", content: "go 1.26\n", matters: true},
		"the workspace":                  {work: "elsewhere/go.work", change: "elsewhere/go.work", content: "go 1.26\n", matters: true},
		"a module of the workspace":      {work: "elsewhere/go.work", change: "other/go.mod", content: "module example.com/other\n", matters: true},
		"a package in a tree":            {patterns: []string{"./..."}, change: "a/new/x.go", content: "package x\n", matters: true},
		"a package below a tree's":       {patterns: []string{"./api/..."}, change: "a/api/v1/x.go", content: "package x\n", matters: true},
		"a package beside a tree":        {patterns: []string{"./api/..."}, change: "a/new/x.go", content: "package x\n"},
		"a package by its path":          {patterns: []string{"example.com/a/api/..."}, change: "a/api/v1/x.go", content: "package x\n", matters: true},
		"what the go command skips":      {patterns: []string{"./..."}, change: "a/api/testdata/y/y.go", content: "package y\n"},
		"a module in a tree":             {patterns: []string{"./..."}, change: "a/unused/go.mod", content: "module example.com/unused\n", matters: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, files)
			t.Setenv("GOFLAGS", "")
			t.Setenv("GOWORK", "off")
			switch {
			case test.work != "":
				t.Setenv("GOWORK", filepath.Join(dir, filepath.FromSlash(test.work)))
			case test.change == "go.work":
				t.Setenv("GOWORK", "")
			}
			if test.patterns == nil {
				test.patterns = []string{"./api"}
			}
			bag := &diag.Bag{}
			read := source.NewFS(nil)
			_, err := Load(Config{Dir: filepath.Join(dir, "a"), Patterns: test.patterns, Files: read}, bag)
			if err != nil || len(bag.All()) > 0 {
				t.Fatal(err, bag.All())
			}
			if changed := read.Record().Changed(source.NewFS(nil)); len(changed) > 0 {
				t.Fatalf("changed before any change: %v", changed)
			}
			path := filepath.Join(dir, filepath.FromSlash(test.change))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if test.content == "" {
				err = os.Remove(path)
			} else {
				err = os.WriteFile(path, []byte(test.content), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			if changed := read.Record().Changed(source.NewFS(nil)); (len(changed) > 0) != test.matters {
				t.Errorf("changed: %v", changed)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	environment := func() ([]string, bool) { return Environment(source.NewFS(nil)) }
	t.Setenv("GOFLAGS", "-tags=a")
	before, ok := environment()
	if !ok || !slices.Contains(before, "GOFLAGS=-tags=a") {
		t.Errorf("%v, %v", before, ok)
	}
	env := filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", env)
	if err := os.WriteFile(env, []byte("GOFLAGS=-tags=b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after, _ := environment(); !slices.Contains(after, "GOFLAGS=-tags=b\n") {
		t.Errorf("what `go env -w` wrote is missing of %v", after)
	}
	if err := os.WriteFile(env, []byte("GOWORK=/somewhere/go.work\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := environment(); ok {
		t.Error("a workspace that only `go env` knows is taken as known")
	}
	t.Setenv("GOENV", "off")
	for name, value := range map[string]string{"GOFLAGS": "-overlay=x.json", "GOPACKAGESDRIVER": "driver"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if _, ok := environment(); ok {
				t.Error("taken as known")
			}
		})
	}
}
