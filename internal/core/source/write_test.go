package source_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/source"
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

// tenFiles are changes of all of ten files to one content.
func (d tree) tenFiles(content string) []source.Change {
	var changes []source.Change
	for i := range 10 {
		changes = append(changes, source.Change{Path: d.path(fmt.Sprintf("%d/file.go", i)), Content: []byte(content)})
	}
	return changes
}

// files returns the content of all files in the tree by their names, temporary ones
// included, and folders as "folder".
func (d tree) files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(string(d), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(string(d), path)
		if e.IsDir() {
			found[name] = "folder"
			return nil
		}
		content, err := os.ReadFile(path)
		found[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// All changes are made, or none: whichever fails, and whether it fails while contents
// are written or while files are renamed.
func TestWriteIsAllOrNothing(t *testing.T) {
	change := func(d tree, name, content string) source.Change {
		c := source.Change{Path: d.path(name)}
		if content != "" {
			c.Content = []byte(content)
		}
		return c
	}
	for name, broken := range map[string]func(d tree) []source.Change{
		"a folder in the place of a file": func(d tree) []source.Change {
			return []source.Change{change(d, "folder", "new")}
		},
		"a file in the place of a folder": func(d tree) []source.Change {
			return []source.Change{change(d, "old.go/new.go", "new")}
		},
		// The folder is made for the second when the first is prepared already.
		"a folder that came meanwhile": func(d tree) []source.Change {
			return []source.Change{change(d, "new", "new"), change(d, "new/below/file.go", "new")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := tree(t.TempDir())
			for _, file := range []string{"old.go", "goes.go", "folder/inside.go"} {
				d.write(t, file, "old")
			}
			before := d.files(t)
			good := []source.Change{change(d, "old.go", "new"), change(d, "more/folders/new.go", "new"), change(d, "goes.go", ""), change(d, "never.go", "")}
			for _, changes := range [][]source.Change{slices.Concat(good, broken(d)), slices.Concat(broken(d), good)} {
				if err := source.Write(changes); err == nil {
					t.Error("there is no error")
				}
				if diff := cmp.Diff(before, d.files(t)); diff != "" {
					t.Errorf("the tree has changed:\n%s", diff)
				}
			}
			if err := source.Write(good); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{".": "folder", "old.go": "new", "folder": "folder", "folder/inside.go": "old", "more": "folder", "more/folders": "folder", "more/folders/new.go": "new"}
			if diff := cmp.Diff(want, d.files(t)); diff != "" {
				t.Errorf("after all changes:\n%s", diff)
			}
		})
	}
}

// contents are what the processes of these tests write. The last does not fit where
// files have a limit.
var contents = []string{strings.Repeat("a", 600), strings.Repeat("b", 600), strings.Repeat("c", 1<<20)}

// A process that is started with this variable writes one content after the other
// into the tree that it names.
const writes = "KINDSMITH_TEST_WRITES"

func TestMain(m *testing.M) {
	dir := os.Getenv(writes)
	if dir == "" {
		os.Exit(m.Run())
	}
	for i := 0; ; i++ {
		if err := source.Write(tree(dir).tenFiles(contents[i%len(contents)])); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func writer(t *testing.T, d tree, limit string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	if limit != "" {
		cmd = exec.Command("sh", "-c", limit+` && exec "$0"`, self)
	}
	cmd.Env = append(os.Environ(), writes+"="+string(d))
	return cmd
}

// Processes that are killed at any moment, two at a time, leave each file with one
// content or the other. What they leave beside the files is removed later.
func TestWriteKilled(t *testing.T) {
	d := tree(t.TempDir())
	if err := source.Write(d.tenFiles(contents[0])); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		one, other := writer(t, d, ""), writer(t, d, "")
		for _, cmd := range []*exec.Cmd{one, other} {
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Duration(rand.IntN(20)) * time.Millisecond)
		for _, cmd := range []*exec.Cmd{one, other} {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
		}
		for name, content := range d.files(t) {
			if strings.HasSuffix(name, "file.go") && !slices.Contains(contents, content) {
				t.Fatalf("%s has %d bytes", name, len(content))
			}
		}
	}
	for name := range d.files(t) {
		long := time.Now().Add(-time.Hour)
		if err := os.Chtimes(d.path(name), long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := source.Write(d.tenFiles(contents[1])); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{".": "folder"}
	for i := range 10 {
		want[fmt.Sprint(i)], want[fmt.Sprintf("%d/file.go", i)] = "folder", contents[1]
	}
	if diff := cmp.Diff(want, d.files(t)); diff != "" {
		t.Error(diff)
	}
}

// A disk that is full behaves like one on which files have a limit: a part of the
// content is written, and then an error is returned.
func TestWriteToFullDisk(t *testing.T) {
	if err := exec.Command("sh", "-c", "ulimit -f 10").Run(); err != nil {
		t.Skip("this system has no limits for files:", err)
	}
	d := tree(t.TempDir())
	out, err := writer(t, d, "ulimit -f 10").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "too large") {
		t.Errorf("%v: %s", err, out)
	}
	for name, content := range d.files(t) {
		if content != "folder" && content != contents[1] {
			t.Errorf("%s has %d bytes", name, len(content))
		}
	}
}
