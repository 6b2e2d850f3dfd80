package launch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// writeModule writes a module with one command, whose source is body, and
// returns how to build it.
func writeModule(t *testing.T, body string) build {
	t.Helper()
	b := build{module: t.TempDir(), pkg: "./hello", flags: []string{"-buildvcs=false"}}
	for name, content := range map[string]string{
		"go.mod":        "module example.com/hello\n",
		"go.sum":        "",
		"hello/main.go": "package main\n\nfunc main() { " + body + " }\n",
	} {
		file := filepath.Join(b.module, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// TestBuildAtOnce checks that builds of the same binary do not get in each
// other's way and leave nothing else behind.
func TestBuildAtOnce(t *testing.T) {
	b := writeModule(t, "")
	dir := filepath.Join(t.TempDir(), "cache")
	path := filepath.Join(dir, "hello")
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if err := b.into(path); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); name != "hello" && name != "hello.lock" {
			t.Errorf("left behind: %s", name)
		}
	}
	if !exists(path) {
		t.Error("no binary")
	}
}

// TestBuildReportsWhy checks that a failed build shows the compiler's message
// and leaves no binary that a later call would take for a good one.
func TestBuildReportsWhy(t *testing.T) {
	b := writeModule(t, "undefined()")
	path := filepath.Join(t.TempDir(), "hello")
	err := b.into(path)
	if err == nil || !strings.Contains(err.Error(), "undefined: undefined") {
		t.Errorf("error %v, want one with the compiler's message", err)
	}
	if exists(path) {
		t.Error("there is a binary")
	}
}

// TestKey checks that the key of a build changes with whatever it is made from,
// and only then.
func TestKey(t *testing.T) {
	base := writeModule(t, "")
	key := func(b build) string {
		t.Helper()
		k, err := b.key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	if key(base) != key(writeModule(t, "")) {
		t.Error("the same source elsewhere has another key")
	}
	if key(base) == key(writeModule(t, "println()")) {
		t.Error("other source has the same key")
	}
	flagged := base
	flagged.flags = []string{"-buildvcs=false", "-v"}
	if key(base) == key(flagged) {
		t.Error("other flags have the same key")
	}
	if err := os.WriteFile(filepath.Join(base.module, "go.sum"), []byte("\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if key(base) == key(writeModule(t, "")) {
		t.Error("other dependencies have the same key")
	}
}

// TestTail checks how much of a text tail keeps.
func TestTail(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a", "a"},
		{"a\nb\n", "a\nb"},
		{"a\nb\nc\n", "b\nc"},
	} {
		if got := tail(c.in, 2); got != c.want {
			t.Errorf("tail(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
