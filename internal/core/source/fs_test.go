package source_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// tree is a folder of a test.
type tree string

func (d tree) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

func (d tree) write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.path(name), []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

const types = "// Package v1 is an API.\npackage v1\n\nimport \"time\"\n\ntype T struct{ At time.Time }\n"

func newTree(t *testing.T) tree {
	d := tree(t.TempDir())
	for name, content := range map[string]string{
		"go.mod":               "module example.com/m\n",
		"api/v1/types.go":      types,
		"api/v1/types_test.go": "package v1\n",
		"api/v1/notes.txt":     "notes\n",
		"api/v1/sub/sub.go":    "package sub\n",
		"lib/lib.go":           "package lib\n",
	} {
		d.write(t, name, content)
	}
	return d
}

// inputs reads one thing of each kind, and one that is missing.
var inputs = map[string]func(tree, *source.FS){
	"content": func(d tree, f *source.FS) { _, _ = f.ReadFile(d.path("api/v1/types.go")) },
	"header": func(d tree, f *source.FS) {
		f.State(source.Input{Kind: source.Header, Path: d.path("api/v1/types.go")})
	},
	"go":      func(d tree, f *source.FS) { _, _ = f.List(source.GoFiles, d.path("api/v1")) },
	"tests":   func(d tree, f *source.FS) { _, _ = f.List(source.TestFiles, d.path("api/v1")) },
	"tree":    func(d tree, f *source.FS) { _, _ = f.List(source.Tree, d.path("api")) },
	"missing": func(d tree, f *source.FS) { _, _ = f.ReadFile(d.path("gen/new.go")) },
}

// changes are changes of a tree, and the inputs that they change.
var changes = map[string]struct {
	name, content string // no content removes the file
	differ        []string
}{
	"the same written again":     {"api/v1/types.go", types, nil},
	"a function":                 {"api/v1/types.go", types + "func F() {}\n", []string{"content"}},
	"a comment above the clause": {"api/v1/types.go", "// More.\n" + types, []string{"content"}},
	"a build constraint":         {"api/v1/types.go", "//go:build linux\n\n" + types, []string{"content", "header"}},
	"an import":                  {"api/v1/types.go", strings.Replace(types, "time\"", "net/url\"", 1), []string{"content", "header"}},
	"a package's name":           {"api/v1/types.go", strings.Replace(types, "package v1", "package v2", 1), []string{"content", "header"}},
	"no Go":                      {"api/v1/types.go", "pakage v1\n", []string{"content", "header"}},
	"a file that goes":           {"api/v1/types.go", "", []string{"content", "go", "header", "tree"}},
	"a new file":                 {"api/v1/more.go", "package v1\n", []string{"go", "tree"}},
	"a new test":                 {"api/v1/more_test.go", "package v1\n", []string{"tests"}},
	"a test":                     {"api/v1/types_test.go", "package v1_test\n", nil},
	"what is no source":          {"api/v1/other.txt", "other\n", nil},
	"a new package":              {"api/v2/types.go", "package v2\n", []string{"tree"}},
	"a new package further down": {"api/a/b/c/types.go", "package c\n", []string{"tree"}},
	"a module":                   {"api/v1/sub/go.mod", "module sub\n", []string{"tree"}},
	"what the go command skips":  {"api/testdata/x.go", "package x\n", nil},
	"a hidden folder":            {"api/.git/x.go", "package x\n", nil},
	"a hidden file":              {"api/v1/_x.go", "package x\n", nil},
	"what was missing":           {"gen/new.go", "package gen\n", []string{"missing"}},
	"a package beside":           {"lib/more.go", "package lib\n", nil},
}

// TestRecord makes changes, and compares the reported inputs of a new record and of a saved one.
func TestRecord(t *testing.T) {
	for what, change := range changes {
		t.Run(what, func(t *testing.T) {
			d := newTree(t)
			records := map[string]*source.Record{}
			for kind, read := range inputs {
				f := source.NewFS(nil)
				read(d, f)
				records[kind] = f.Record()
			}
			if change.content == "" {
				if err := os.Remove(d.path(change.name)); err != nil {
					t.Fatal(err)
				}
			} else {
				d.write(t, change.name, change.content)
			}
			for kind, record := range records {
				differs := slices.Contains(change.differ, kind)
				if same := record.Same(source.NewFS(nil)); same == differs {
					t.Errorf("%s: same is %t", kind, same)
				}
				if differs && !record.Concerns(d.path(change.name)) {
					t.Errorf("%s: the change does not concern the record", kind)
				}
				text, err := json.Marshal(record)
				if err != nil {
					t.Fatal(err)
				}
				var back source.Record
				if err := json.Unmarshal(text, &back); err != nil {
					t.Fatal(err)
				}
				if same := back.Same(source.NewFS(nil)); same == differs {
					t.Errorf("%s, read back: same is %t", kind, same)
				}
			}
		})
	}
}

// TestAfter compares the predicted record after changes with the actual one, with and without an
// overlay.
func TestAfter(t *testing.T) {
	for what, change := range changes {
		t.Run(what, func(t *testing.T) {
			d := newTree(t)
			f := source.NewFS(nil)
			for _, read := range inputs {
				read(d, f)
			}
			path := d.path(change.name)
			var content []byte
			if change.content != "" {
				content = []byte(change.content)
				overlay := map[string][]byte{path: content}
				if changed := f.Record().After(overlay).Changed(source.NewFS(overlay)); len(changed) > 0 {
					t.Errorf("the overlay differs in %v", changed)
				}
				d.write(t, change.name, change.content)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if changed := f.Record().After(map[string][]byte{path: content}).Changed(source.NewFS(nil)); len(changed) > 0 {
				t.Errorf("told wrongly: %v", changed)
			}
		})
	}
}

// A run does not see changes of a file after its first read.
func TestFilesAreReadOnce(t *testing.T) {
	d := newTree(t)
	f := source.NewFS(nil)
	read := func() string {
		content, err := f.ReadFile(d.path("lib/lib.go"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	before := read()
	d.write(t, "lib/lib.go", "package changed\n")
	if after := read(); after != before {
		t.Errorf("read %q, then %q", before, after)
	}
	if f.Record().Same(source.NewFS(nil)) {
		t.Error("the record has what was written later, not what was read")
	}
}

func TestOverlay(t *testing.T) {
	d := newTree(t)
	f := source.NewFS(map[string][]byte{
		d.path("lib/lib.go"):       []byte("package buffer\n"),
		d.path("lib/buffer.go"):    []byte("package lib\n"),
		d.path("new/pkg/types.go"): []byte("package pkg\n"),
	})
	if content, err := f.ReadFile(d.path("lib/lib.go")); err != nil || string(content) != "package buffer\n" {
		t.Errorf("got %q, %v", content, err)
	}
	for _, test := range []struct {
		kind source.Kind
		dir  string
		want []string
	}{
		{source.GoFiles, "lib", []string{"buffer.go", "lib.go"}},
		{source.GoFiles, "new/pkg", []string{"types.go"}},
		{source.GoFiles, "new", nil},
		{source.Tree, "new", []string{"pkg/", "pkg/types.go"}},
	} {
		if got, err := f.List(test.kind, d.path(test.dir)); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s of %s: %v, %v, want %v", test.kind, test.dir, got, err, test.want)
		}
	}
	if _, err := f.List(source.GoFiles, d.path("nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
}

func TestTee(t *testing.T) {
	d := newTree(t)
	f := source.NewFS(nil)
	_, _ = f.ReadFile(d.path("go.mod"))
	tee := f.Tee()
	_, _ = tee.ReadFile(d.path("lib/lib.go"))
	if tee.Record().Len() != 1 || f.Record().Len() != 2 {
		t.Errorf("recorded %v, and %v", tee.Record().Inputs(), f.Record().Inputs())
	}
}

func TestFoldersOfARecord(t *testing.T) {
	d := newTree(t)
	f := source.NewFS(nil)
	for _, read := range inputs {
		read(d, f)
	}
	var want []string
	for _, dir := range []string{"api", "api/v1", "api/v1/sub", "gen"} {
		want = append(want, d.path(dir))
	}
	if got := f.Record().Folders(); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The nil FS is the disk.
func TestNoFS(t *testing.T) {
	d := newTree(t)
	var f *source.FS
	if content, err := f.ReadFile(d.path("lib/lib.go")); err != nil || string(content) != "package lib\n" {
		t.Errorf("got %q, %v", content, err)
	}
	if names, err := f.List(source.GoFiles, d.path("lib")); err != nil || !slices.Equal(names, []string{"lib.go"}) {
		t.Errorf("got %v, %v", names, err)
	}
	if f.Record().Len() != 0 {
		t.Error("something was recorded")
	}
}
