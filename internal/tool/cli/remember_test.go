package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// Runs of another program, or of another build of this one, are not skipped.
func TestIdentity(t *testing.T) {
	at := time.Now().Add(-time.Hour)
	of := func(content string, changed time.Time) []string {
		path := filepath.Join(t.TempDir(), "program")
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, changed, changed); err != nil {
			t.Fatal(err)
		}
		id, err := identity(path)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	program := of("build 1", at)
	if again := of("build 1", at); !slices.Equal(program, again) {
		t.Errorf("%v and %v are one program", program, again)
	}
	for name, other := range map[string][]string{
		"content": of("build 2", at), "size": of("build 1 and more", at), "time": of("build 1", at.Add(time.Second)),
	} {
		if slices.Equal(program, other) {
			t.Errorf("a program of another %s is the same", name)
		}
	}
	if _, err := identity(filepath.Join(t.TempDir(), "nothing")); err == nil {
		t.Error("a program that is not there has an identity")
	}
}
