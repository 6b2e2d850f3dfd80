package source_test

import (
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/kindsmith/kindsmith/internal/source"
)

func TestWriteFile(t *testing.T) {
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	for name, test := range map[string]struct {
		before    string // "" for no file
		mode      fs.FileMode
		content   string
		unchanged bool
	}{
		"a new file":                  {content: "new"},
		"another content":             {before: "old", mode: 0o644, content: "new"},
		"the same":                    {before: "same", mode: 0o644, content: "same", unchanged: true},
		"a mode that umask would cut": {before: "old", mode: 0o666, content: "new"},
		"a private file":              {before: "old", mode: 0o600, content: "new"},
		"a program":                   {before: "old", mode: 0o755, content: "new"},
	} {
		t.Run(name, func(t *testing.T) {
			d := tree(t.TempDir())
			path := d.path("some/folder/file.go")
			if test.before != "" {
				d.write(t, "some/folder/file.go", test.before)
				if err := os.Chmod(path, test.mode); err != nil {
					t.Fatal(err)
				}
				if err := os.Chtimes(path, old, old); err != nil {
					t.Fatal(err)
				}
			}
			if err := source.WriteFile(path, []byte(test.content)); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != test.content {
				t.Errorf("got %q, %v", got, err)
			}
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if test.before != "" && info.Mode().Perm() != test.mode {
				t.Errorf("the mode is %v", info.Mode())
			}
			if same := info.ModTime().Equal(old); same != test.unchanged {
				t.Errorf("the time is %v", info.ModTime())
			}
			if left, err := os.ReadDir(d.path("some/folder")); err != nil || len(left) != 1 {
				t.Errorf("left are %v, %v", left, err)
			}
		})
	}
}

// A link to a file stays one.
func TestWriteFileThroughLink(t *testing.T) {
	d := tree(t.TempDir())
	d.write(t, "real/file.go", "old")
	if err := os.Symlink(d.path("real/file.go"), d.path("link.go")); err != nil {
		t.Skip(err)
	}
	if err := source.WriteFile(d.path("link.go"), []byte("new")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(d.path("link.go")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info, err)
	}
	if got, err := os.ReadFile(d.path("real/file.go")); err != nil || string(got) != "new" {
		t.Errorf("got %q, %v", got, err)
	}
}

// What cannot be written leaves what was there, and nothing beside it.
func TestWriteFileFails(t *testing.T) {
	d := tree(t.TempDir())
	d.write(t, "folder/file.go/inside", "x")
	if err := source.WriteFile(d.path("folder/file.go"), []byte("new")); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if left, err := os.ReadDir(d.path("folder")); err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v", left, err)
	}
}
