package crds

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestAdopt runs `kindsmith adopt` on copies of projects with hand-written older versions. docs/adopt.md has
// what it prints at the end.
func TestAdopt(t *testing.T) {
	docs, err := os.ReadFile("../../docs/adopt.md")
	if err != nil {
		t.Fatal(err)
	}
	binary := binary(t)
	for _, test := range []struct {
		module, folder string
		packages       []string
		markers        int
	}{
		{"github.com/kubernetes-csi/external-snapshotter/client/v8", "snapshotter", []string{"/apis/volumegroupsnapshot/..."}, 14},
		{"sigs.k8s.io/cluster-api/api", "cluster-api", []string{"/ipam/...", "/core/..."}, 0},
	} {
		t.Run(test.folder, func(t *testing.T) {
			dir := t.TempDir()
			replaced(t, dir, test.module, test.folder)
			args := []string{"adopt", "--objects", "50"}
			for _, pattern := range test.packages {
				args = append(args, test.module+pattern)
			}
			cmd := exec.Command(binary, args...)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GOWORK=off", "KINDSMITH_CACHE=off")
			var out, found bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &found
			if err := cmd.Run(); err != nil && cmd.ProcessState.ExitCode() != 1 {
				t.Fatalf("%v\n%s", err, &found)
			}
			lines := strings.SplitAfter(strings.TrimPrefix(found.String(), "\n"), "\n")
			for len(lines) > 0 && !strings.HasPrefix(lines[0], test.folder+"/") || strings.Contains(lines[0], ": warning: ") || strings.Contains(lines[0], ": error: ") {
				lines = lines[1:]
			}
			if summary := strings.Join(lines, ""); !strings.Contains(string(docs), summary) || summary == "" {
				t.Errorf("docs/adopt.md does not have:\n%s", summary)
			}
			if n := strings.Count(out.String(), "+versioned:"); n != test.markers {
				t.Errorf("%d markers are proposed, want %d:\n%s", n, test.markers, &out)
			}
		})
	}
}

// replaced copies a module from the module cache to a folder, and makes a module beside it whose build has the
// copy, with the versions that this module selects.
func replaced(t *testing.T, dir, module, folder string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	from := os.DirFS(strings.TrimSpace(string(out)))
	err = fs.WalkDir(from, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" && path != "go.mod" {
			return err
		}
		content, err := fs.ReadFile(from, path)
		to := filepath.Join(dir, folder, path)
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.AddReplace(module, "", "./"+folder, ""); err != nil {
		t.Fatal(err)
	}
	if text, err = file.Format(); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o600), os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600)); err != nil {
		t.Fatal(err)
	}
}
