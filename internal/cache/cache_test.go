package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tree is a folder of a test, whose files are as old as it wants.
type tree string

func (d tree) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

// write writes files and makes them and all folders look an hour old.
func (d tree) write(t *testing.T, files map[string]string) {
	t.Helper()
	for name, content := range files {
		if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.path(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d.age(t, time.Now().Add(-time.Hour))
}

func (d tree) age(t *testing.T, when time.Time) {
	t.Helper()
	err := filepath.Walk(string(d), func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// start returns a tree, and the inputs that a run on it has.
func start(t *testing.T) (tree, Inputs) {
	d := tree(t.TempDir())
	d.write(t, map[string]string{
		"go.mod":             "module example.com/m\n",
		"api/v1/types.go":    "package v1\n",
		"api/v1/notes.txt":   "notes\n",
		"api/v1/sub/sub.go":  "package sub\n",
		"lib/lib.go":         "package lib\n",
		"lib/below/below.go": "package below\n",
		"crd/a.yaml":         "a: 1\n",
	})
	return d, Inputs{
		Files:   []string{d.path("go.mod"), d.path("go.work")},
		Folders: []string{d.path("lib"), d.path("crd"), d.path("gen")},
		Trees:   []string{d.path("api")},
	}
}

func TestWhatCounts(t *testing.T) {
	write := func(name, content string) func(*testing.T, tree) {
		return func(t *testing.T, d tree) { d.write(t, map[string]string{name: content}) }
	}
	remove := func(name string) func(*testing.T, tree) {
		return func(t *testing.T, d tree) {
			if err := os.RemoveAll(d.path(name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := map[string]struct {
		change func(*testing.T, tree)
		known  bool
	}{
		"nothing":                          {func(*testing.T, tree) {}, true},
		"times only":                       {func(t *testing.T, d tree) { d.age(t, time.Now()) }, true},
		"the same written again":           {write("api/v1/types.go", "package v1\n"), true},
		"a source":                         {write("api/v1/types.go", "package v2\n"), false},
		"a source without its times":       {write("lib/lib.go", "package lob\n"), false},
		"a new source":                     {write("api/v1/more.go", "package v1\n"), false},
		"a new package in a tree":          {write("api/v2/types.go", "package v2\n"), false},
		"a source that has gone":           {remove("api/v1/types.go"), false},
		"a package that has gone":          {remove("api/v1/sub"), false},
		"below a folder":                   {write("lib/below/below.go", "package other\n"), true},
		"what is no source":                {write("api/v1/notes.txt", "others\n"), true},
		"what the go command skips":        {write("api/testdata/x.go", "package x\n"), true},
		"a hidden folder":                  {write("api/.git/x.go", "package x\n"), true},
		"a module in a tree":               {write("api/v1/sub/go.mod", "module sub\n"), false},
		"the go.mod file":                  {write("go.mod", "module example.com/other\n"), false},
		"a workspace where there was none": {write("go.work", "go 1.26\n"), false},
		"a manifest":                       {write("crd/a.yaml", "a: 2\n"), false},
		"a file in a folder that is new":   {write("gen/x.go", "package gen\n"), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d, in := start(t)
			c := &Cache{dir: t.TempDir()}
			c.Begin("config").Keep(in, nil, Outcome{Report: []byte("said"), Files: 7})
			test.change(t, d)
			got, known := c.Begin("config").Known()
			if known != test.known {
				t.Errorf("known is %v", known)
			}
			if known && (string(got.Report) != "said" || got.Files != 7) {
				t.Errorf("the outcome is %q of %d files", got.Report, got.Files)
			}
		})
	}
}

func TestConfiguration(t *testing.T) {
	_, in := start(t)
	c := &Cache{dir: t.TempDir()}
	c.Begin([]string{"a"}).Keep(in, nil, Outcome{Files: 1})
	c.Begin([]string{"b"}).Keep(in, nil, Outcome{Files: 2})
	for name, files := range map[string]int{"a": 1, "b": 2} {
		if got, ok := c.Begin([]string{name}).Known(); !ok || got.Files != files {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
	if _, ok := c.Begin([]string{"c"}).Known(); ok {
		t.Error("a configuration that never ran is known")
	}
}

// What a run writes is remembered as it will be: known from then on, and not
// before.
func TestChanges(t *testing.T) {
	d, in := start(t)
	c := &Cache{dir: t.TempDir()}
	changes := map[string][]byte{d.path("crd/a.yaml"): nil, d.path("gen/new.go"): []byte("package gen\n")}
	c.Begin("config").Keep(in, changes, Outcome{})
	if _, ok := c.Begin("config").Known(); ok {
		t.Error("known although nothing was written")
	}
	if err := os.Remove(d.path("crd/a.yaml")); err != nil {
		t.Fatal(err)
	}
	d.write(t, map[string]string{"gen/new.go": "package gen\n"})
	if _, ok := c.Begin("config").Known(); !ok {
		t.Error("not known although everything is in its place")
	}
	d.write(t, map[string]string{"gen/new.go": "package gen // edited\n"})
	if _, ok := c.Begin("config").Known(); ok {
		t.Error("known although somebody changed what was written")
	}
}

// Nobody knows which state a run has seen of a file that changed meanwhile.
func TestChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]func(d tree) error{
		"a file":            func(d tree) error { return os.WriteFile(d.path("lib/lib.go"), []byte("package lib\n"), 0o644) },
		"a file that went":  func(d tree) error { return os.Remove(d.path("api/v1/types.go")) },
		"a file that moved": func(d tree) error { return os.Rename(d.path("api/v1/types.go"), d.path("api/v1/moved.go")) },
	} {
		t.Run(name, func(t *testing.T) {
			d, in := start(t)
			c := &Cache{dir: t.TempDir()}
			run := c.Begin("config")
			if err := change(d); err != nil {
				t.Fatal(err)
			}
			run.Keep(in, nil, Outcome{})
			if _, ok := c.Begin("config").Known(); ok {
				t.Error("kept")
			}
		})
	}
}

func TestBrokenCache(t *testing.T) {
	_, in := start(t)
	c := &Cache{dir: t.TempDir()}
	run := c.Begin("config")
	run.Keep(in, nil, Outcome{})
	for _, content := range []string{"", "{}", `{"digest": "00"}`, "\x00"} {
		if err := os.WriteFile(run.file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.Begin("config").Known(); ok {
			t.Errorf("known by %q", content)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	nowhere := &Cache{dir: file}
	nowhere.Begin("config").Keep(in, nil, Outcome{})
	if _, ok := nowhere.Begin("config").Known(); ok {
		t.Error("known without a place to keep it")
	}
}

func TestOldRunsAreForgotten(t *testing.T) {
	_, in := start(t)
	c := &Cache{dir: t.TempDir()}
	old := c.Begin("old")
	old.Keep(in, nil, Outcome{})
	long := time.Now().Add(-2 * maxAge)
	if err := os.Chtimes(old.file, long, long); err != nil {
		t.Fatal(err)
	}
	c.Begin("new").Keep(in, nil, Outcome{})
	if _, ok := c.Begin("old").Known(); ok {
		t.Error("still there")
	}
	if _, ok := c.Begin("new").Known(); !ok {
		t.Error("the new one has gone, too")
	}
}

// Somebody may name a folder that has other files.
func TestFilesOfOthersStay(t *testing.T) {
	_, in := start(t)
	d := tree(t.TempDir())
	d.write(t, map[string]string{"thesis.txt": "x", "run-now": "x", strings.Repeat("ab", 32): "x", "run-" + strings.Repeat("xy", 32): "x"})
	d.age(t, time.Now().Add(-2*maxAge))
	c := &Cache{dir: string(d)}
	c.Begin("new").Keep(in, nil, Outcome{})
	if _, ok := c.Begin("new").Known(); !ok {
		t.Error("not kept")
	}
	left, err := os.ReadDir(string(d))
	if err != nil || len(left) != 5 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestOpen(t *testing.T) {
	env := func(value string) func(string) string { return func(string) string { return value } }
	if c := Open(env("off")); c != nil {
		t.Errorf("off opens %v", c)
	}
	if c := Open(env("somewhere")); c == nil || c.dir != "somewhere" {
		t.Errorf("somewhere opens %v", c)
	}
	var none *Cache
	none.Begin("config").Keep(Inputs{}, nil, Outcome{})
	if _, ok := none.Begin("config").Known(); ok {
		t.Error("no cache knows something")
	}
}
