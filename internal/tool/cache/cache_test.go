package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// tree is a test folder with files of given ages.
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

// start returns a tree, and a run's record of having read it.
func start(t *testing.T) (tree, *source.Record) {
	t.Helper()
	d := tree(t.TempDir())
	d.write(t, map[string]string{"api/types.go": "package api\n", "crd/a.yaml": "a: 1\n"})
	return d, d.read()
}

// read returns the record of a run that reads the tree.
func (d tree) read() *source.Record {
	files := source.NewFS(nil)
	for _, name := range []string{"api/types.go", "crd/a.yaml", "gen/new.go"} {
		_, _ = files.ReadFile(d.path(name))
	}
	_, _ = files.List(source.GoFiles, d.path("api"))
	return files.Record()
}

func TestKnown(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*testing.T, tree)
		known  bool
	}{
		"nothing":                {func(*testing.T, tree) {}, true},
		"times only":             {func(t *testing.T, d tree) { d.age(t, time.Now()) }, true},
		"the same written again": {func(t *testing.T, d tree) { d.write(t, map[string]string{"api/types.go": "package api\n"}) }, true},
		"another content":        {func(t *testing.T, d tree) { d.write(t, map[string]string{"api/types.go": "package apo\n"}) }, false},
		"another file":           {func(t *testing.T, d tree) { d.write(t, map[string]string{"api/more.go": "package api\n"}) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			d, record := start(t)
			c := &Cache{dir: t.TempDir()}
			c.Begin("config").Keep(record, nil, Outcome{Content: []byte("said"), Files: 7})
			test.change(t, d)
			got, known := c.Begin("config").Known()
			if known != test.known {
				t.Errorf("known is %v", known)
			}
			if known && (string(got.Content) != "said" || got.Files != 7) {
				t.Errorf("the outcome is %q of %d files", got.Content, got.Files)
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

// A run that writes files is known after they are written, and not before.
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

// The go command may have read another state of a file that changed during the run.
func TestChangedMeanwhile(t *testing.T) {
	for name, change := range map[string]func(d tree) error{
		"a file":            func(d tree) error { return os.WriteFile(d.path("crd/a.yaml"), []byte("a: 1\n"), 0o644) },
		"a file that went":  func(d tree) error { return os.Remove(d.path("api/types.go")) },
		"a file that moved": func(d tree) error { return os.Rename(d.path("api/types.go"), d.path("api/moved.go")) },
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := start(t)
			c := &Cache{dir: t.TempDir()}
			run := c.Begin("config")
			if err := change(d); err != nil {
				t.Fatal(err)
			}
			run.Keep(d.read(), nil, Outcome{})
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
	for _, content := range []string{"", "{}", `{"record": []}`, `{"record": [["content", "/", "00"]]}`, "\x00"} {
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

// The cache does not remove other files of its folder.
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
	none.Begin("config").Keep(source.NewFS(nil).Record(), nil, Outcome{})
	if _, ok := none.Begin("config").Known(); ok {
		t.Error("no cache knows something")
	}
}
