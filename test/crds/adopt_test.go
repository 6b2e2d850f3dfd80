package crds

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAdopt runs `kindsmith adopt` on copies of projects with hand-written older versions. docs/reference/adopted-projects.md has
// what it prints at the end. If the versions can be generated, the test goes on as a user does: it writes the markers and removes
// the hand-written types, generates, and runs the generated round trips.
func TestAdopt(t *testing.T) {
	docs, err := os.ReadFile("../../docs/reference/adopted-projects.md")
	if err != nil {
		t.Fatal(err)
	}
	binary := binary(t)
	for _, test := range []struct {
		module, folder string
		packages       []string
		markers        int
		// rest are the files of which something is generated, with what stays: "" for nothing.
		rest map[string]string
	}{
		{"github.com/kubernetes-csi/external-snapshotter/client/v8", "snapshotter", []string{"/apis/volumegroupsnapshot/..."}, 14, map[string]string{
			"apis/volumegroupsnapshot/v1beta1/types.go": "",
			"apis/volumegroupsnapshot/v1beta2/types.go": "type VolumeSnapshotHandlePair struct {",
		}},
		{"sigs.k8s.io/cluster-api/api", "cluster-api", []string{"/ipam/...", "/core/..."}, 0, nil},
		{"sigs.k8s.io/gateway-api", "gateway-api", []string{"/apis/..."}, 0, nil},
	} {
		t.Run(test.folder, func(t *testing.T) {
			dir := t.TempDir()
			copied(t, dir, test.module, test.folder)
			var patterns []string
			for _, pattern := range test.packages {
				patterns = append(patterns, test.module+pattern)
			}
			run := func(mayFind bool, command ...string) (out, found string) {
				t.Helper()
				cmd := exec.Command(command[0], append(command[1:], patterns...)...)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "GOWORK=", "KINDSMITH_CACHE=off")
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); err != nil && (!mayFind || cmd.ProcessState.ExitCode() != 1) {
					t.Fatalf("%v: %v\n%s%s", command, err, &stdout, &stderr)
				}
				return stdout.String(), stderr.String()
			}
			before := contents(t, filepath.Join(dir, test.folder))
			out, found := run(true, binary, "adopt", "--objects", "50")
			if !maps.Equal(contents(t, filepath.Join(dir, test.folder)), before) {
				t.Error("adopt changes files without --write")
			}
			found, _, _ = strings.Cut(found, "\nnext steps:\n")
			lines := strings.SplitAfter(strings.TrimPrefix(found, "\n"), "\n")
			for len(lines) > 0 && !strings.HasPrefix(lines[0], test.folder+"/") || strings.Contains(lines[0], ": warning: ") || strings.Contains(lines[0], ": error: ") {
				lines = lines[1:]
			}
			if summary := strings.Join(lines, ""); !strings.Contains(string(docs), summary) || summary == "" {
				t.Errorf("docs/reference/adopted-projects.md does not have:\n%s\nadopt reports:\n%s", summary, found)
			}
			if n := strings.Count(out, "+versioned:"); n != test.markers {
				t.Errorf("%d markers are proposed, want %d:\n%s", n, test.markers, out)
			}
			if test.rest == nil {
				return
			}
			run(false, binary, "adopt", "--write", "--remove", "--objects", "50")
			for path, text := range test.rest {
				rest, err := os.ReadFile(filepath.Join(dir, test.folder, path))
				if text == "" && !errors.Is(err, fs.ErrNotExist) || strings.Count(string(rest), "type ") != strings.Count(text, "type ") || !strings.Contains(string(rest), text) {
					t.Errorf("%s has %s, %v", path, rest, err)
				}
			}
			run(false, binary, "generate", "--replace")
			run(false, "go", "vet")
			run(false, "go", "test")
		})
	}
}

// contents returns the files of a folder by path.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// copied copies a module from the module cache to a folder, and makes a workspace with it, this module, which selects the
// versions of dependencies, and the runtime module.
func copied(t *testing.T, dir, module, folder string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		t.Fatal(err)
	}
	from := os.DirFS(strings.TrimSpace(string(out)))
	err = fs.WalkDir(from, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" && path != "go.mod" && path != "go.sum" {
			return err
		}
		content, err := fs.ReadFile(from, path)
		to := filepath.Join(dir, folder, path)
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := filepath.Abs("../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"go.mod": "go.mod", "go.sum": "go.sum", filepath.Join(runtime, "go.sum"): "go.work.sum"}
	for from, to := range files {
		text, err := os.ReadFile(from)
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, to), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	work := fmt.Sprintf("go 1.26.0\n\nuse (\n\t.\n\t./%s\n\t%s\n)\n", folder, filepath.ToSlash(runtime))
	if err := os.WriteFile(filepath.Join(dir, "go.work"), []byte(work), 0o600); err != nil {
		t.Fatal(err)
	}
}
