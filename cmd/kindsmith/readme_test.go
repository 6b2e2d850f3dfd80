package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
)

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	saveAs = regexp.MustCompile("(?s)[Ss]ave (?:it|this) as `([^`]+)`:\\s*$")
)

// TestReadmeTour follows the README's tour: it saves the files, runs the commands, and
// compares their output with the README.
func TestReadmeTour(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(repo, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := clone(t, repo)

	commands := 0
	text := string(readme)
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		before, kind, body := text[:m[0]], text[m[2]:m[3]], text[m[4]:m[5]]
		switch kind {
		case "go":
			name := saveAs.FindStringSubmatch(before)
			if name == nil {
				t.Fatalf("the README does not give a file name for this code:\n%s", body)
			}
			save(t, filepath.Join(dir, name[1]), body)
		case "console":
			for _, step := range strings.Split("\n"+body, "\n$ ")[1:] {
				command, want, _ := strings.Cut(step, "\n")
				if command == "make build" {
					continue // done by clone
				}
				commands++
				if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(run(t, dir, command), "\n")); diff != "" {
					t.Fatalf("$ %s\noutput differs from the README (-README +now):\n%s", command, diff)
				}
			}
		}
	}
	if commands < 5 {
		t.Errorf("found %d commands in the README, want at least 5", commands)
	}
}

// clone returns a folder with the parts of a clone that the tour needs: the module, the
// workspace, and the built command.
func clone(t *testing.T, repo string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil {
			t.Fatal(err)
		}
		save(t, filepath.Join(dir, name), string(content))
	}
	if err := os.Symlink(filepath.Join(repo, "runtime"), filepath.Join(dir, "runtime")); err != nil {
		t.Fatal(err)
	}
	save(t, filepath.Join(dir, "go.work"), workspacetest.Work(".", "./runtime"))
	if err := workspacetest.Kindsmith(filepath.Join(dir, "bin", "kindsmith")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func save(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run returns the output of a command, from both streams. Commands may fail, because
// some commands of the tour do.
func run(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"))
	out, err := cmd.CombinedOutput()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return string(out)
}
