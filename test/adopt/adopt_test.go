package adopt

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// binary returns the path of kindsmith, built in the repository's workspace: by make test, or here.
func binary(t *testing.T) string {
	t.Helper()
	if built := os.Getenv("KINDSMITH_BINARY"); built != "" {
		return built
	}
	path := filepath.Join(t.TempDir(), "kindsmith")
	build := exec.Command("go", "build", "-o", path, "./cmd/kindsmith")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestAdopt runs `kindsmith adopt` on copies of real projects, and of one as kubebuilder scaffolds it, and follows the
// steps that it prints. A page of docs has the summary of each.
func TestAdopt(t *testing.T) {
	const projects, guide = "docs/reference/adopted-projects.md", "docs/guides/from-hand-written-conversions.md"
	kindsmith := binary(t)
	for _, test := range []struct {
		name, module, page string
		// folder of the module is copied, to the same place below the project, and own has files of the project.
		folder, own string
		// removed are files that the steps remove.
		removed []string
		// program is run after the steps, "" for none.
		program string
		// bump is the next version, and of what package.
		bump, of string
	}{
		{
			name: "scaffold", module: "example.com/project", page: guide, own: "testdata/scaffold",
			removed: []string{"api/v1/cronjob_conversion.go", "api/v2/cronjob_conversion.go"},
			bump:    "v3", of: "./api/v2",
		},
		{
			name: "eks", module: "sigs.k8s.io/cluster-api-provider-aws/v2", page: projects, folder: "bootstrap/eks/api",
			removed: []string{"bootstrap/eks/api/v1beta1/conversion.go"}, program: "testdata/stored.go.txt",
			bump: "v1beta3", of: "./bootstrap/eks/api/v1beta2",
		},
		{name: "prometheus-operator", module: "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring", page: projects, folder: "."},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			project(t, dir, test.module, test.folder, test.own)
			run := func(mayFind bool, command ...string) (out, found string) {
				t.Helper()
				cmd := exec.Command(command[0], command[1:]...)
				cmd.Dir = dir
				path := filepath.Dir(kindsmith) + string(filepath.ListSeparator) + os.Getenv("PATH")
				cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "KINDSMITH_CACHE=off", "PATH="+path)
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); err != nil && (!mayFind || cmd.ProcessState.ExitCode() != 1) {
					t.Fatalf("%v: %v\n%s%s", command, err, &stdout, &stderr)
				}
				return stdout.String(), stderr.String()
			}
			if test.program != "" {
				run(false, "go", "run", write(t, dir, "before/main.go", test.program), "write", "objects.json")
			}
			_, found := run(test.removed == nil, kindsmith, "adopt", "--objects", "20", "./...")
			page, err := os.ReadFile(filepath.Join("../..", test.page))
			if err != nil {
				t.Fatal(err)
			}
			summary := summaryOf(found)
			if !strings.Contains(string(page), summary) || summary == "" {
				t.Errorf("%s does not have:\n%s\nadopt reports:\n%s", test.page, summary, found)
			}
			_, steps, ok := strings.Cut(found, "\nnext steps:\n")
			if !ok {
				if test.removed != nil {
					t.Fatalf("no steps:\n%s", found)
				}
				return
			}
			for line := range strings.Lines(steps) {
				line = strings.Replace(strings.TrimSpace(line), "adopt ", "adopt --objects 20 ", 1)
				run(false, "sh", "-c", line)
			}
			if test.removed == nil {
				return
			}
			for _, path := range test.removed {
				if _, err := os.Stat(filepath.Join(dir, path)); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v", path, err)
				}
			}
			if test.program != "" {
				run(false, "go", "run", "./before", "read", "objects.json")
			}
			if out, _ := run(false, kindsmith, "breaking", "./..."); out != "" {
				t.Errorf("breaking reports %s", out)
			}
			run(false, kindsmith, "bump", test.bump, "--yes", test.of)
			if out, _ := run(false, kindsmith, "breaking", "./..."); out != "" {
				t.Errorf("after bump, breaking reports %s", out)
			}
		})
	}
}

var verdict = regexp.MustCompile(`(?m)^[^ ]+: (generate writes|stays hand-written)`)

// summaryOf returns the summary of what adopt reports: a line for each version and each conversion.
func summaryOf(found string) string {
	found, _, _ = strings.Cut(found, "\nnext steps:\n")
	if at := verdict.FindStringIndex(found); at != nil {
		return strings.TrimRight(found[at[0]:], "\n")
	}
	return ""
}

// write copies a file of the test into a folder, and returns the folder of the copy for the go command.
func write(t *testing.T, dir, path, from string) string {
	t.Helper()
	text, err := os.ReadFile(from)
	to := filepath.Join(dir, path)
	if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	return "./" + filepath.ToSlash(filepath.Dir(path))
}

// project makes a module of its own of a folder of a module in the module cache, or of files of the test. It requires what
// this module does.
func project(t *testing.T, dir, module, folder, own string) {
	t.Helper()
	if own == "" {
		out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
		if err != nil {
			t.Fatal(err)
		}
		own = strings.TrimSpace(string(out))
	}
	from := os.DirFS(own)
	if folder == "" {
		folder = "."
	}
	err := fs.WalkDir(from, folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		content, err := fs.ReadFile(from, path)
		to := filepath.Join(dir, filepath.FromSlash(path))
		return errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, content, 0o600))
	})
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := filepath.Abs("../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(name)
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const ours = "github.com/kindsmith/kindsmith/runtime"
	cmd := exec.Command("go", "mod", "edit", "-module="+module, "-droprequire="+module, "-require="+ours+"@v0.0.0", "-replace="+ours+"="+runtime)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
