package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/test/crds/documents"
)

// tools are the two binaries, and the folder for everything else.
type tools struct{ folder, controllerGen, kindsmith string }

// build builds controller-gen, of this module's version, and kindsmith.
func build(folder string) (*tools, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	t := &tools{folder, filepath.Join(folder, "bin", "controller-gen"), filepath.Join(folder, "bin", "kindsmith")}
	if _, err := goTool("", []string{"GOFLAGS="}, "build", "-o", t.controllerGen, "sigs.k8s.io/controller-tools/cmd/controller-gen"); err != nil {
		return nil, err
	}
	_, err = goTool("../..", []string{"GOWORK=", "GOFLAGS="}, "build", "-o", t.kindsmith, "./cmd/kindsmith")
	return t, err
}

// row is what the table says of a project.
type row struct {
	tree
	documents, equal, warnings int
	// theirs and ours are the most memory that a run of controller-gen and of kindsmith took, in bytes.
	theirs, ours int64
}

// compare runs both tools in a copy of a project. It prints differences.
func (t *tools) compare(tree tree) (*row, error) {
	dir, err := t.copy(tree)
	if err != nil {
		return nil, err
	}
	r := &row{tree: tree}
	for i, args := range tree.runs {
		out := filepath.Join(t.folder, "output", tree.name, strconv.Itoa(i))
		if err := os.RemoveAll(out); err != nil {
			return nil, err
		}
		if err := fetch(dir, args); err != nil {
			return nil, err
		}
		theirs, ours := filepath.Join(out, "controller-gen"), filepath.Join(out, "kindsmith")
		memory, _, err := measured(dir, t.controllerGen, append(slices.Clone(args), "output:dir="+theirs))
		if err != nil {
			return nil, err
		}
		r.theirs = max(r.theirs, memory)
		memory, messages, err := measured(dir, t.kindsmith, append(append([]string{"generate"}, args...), "output:dir="+ours))
		if err != nil {
			return nil, err
		}
		r.ours = max(r.ours, memory)
		r.warnings += len(warning.FindAll(messages, -1))
		if err := r.add(theirs, ours); err != nil {
			return nil, err
		}
	}
	return r, nil
}

var warning = regexp.MustCompile(`(?m)^\S+: warning: `)

// add compares the documents of a run.
func (r *row) add(theirs, ours string) error {
	before, err := read(theirs)
	if err != nil {
		return err
	}
	after, err := read(ours)
	if err != nil {
		return err
	}
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r.documents++
		found := documents.Compare(before[name], after[name])
		if len(found) == 0 {
			r.equal++
		}
		for _, d := range found {
			fmt.Printf("%s: %s: %s (-controller-gen +kindsmith):\n%s\n", r.name, name, strings.Join(d.Path, "/"), cmp.Diff(d.Theirs, d.Ours))
		}
	}
	return nil
}

// read returns the documents of a folder, by file and number.
func read(dir string) (map[string]any, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	found := map[string]any{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for i, document := range bytes.Split(text, []byte("\n---\n")) {
			object, err := documents.Parse(document)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			if m, ok := object.(map[string]any); ok && len(m) > 0 { // not only comments
				found[fmt.Sprintf("%s %d", filepath.Base(path), i)] = object
			}
		}
	}
	return found, nil
}

// copy returns the folder of a project that tools may change.
func (t *tools) copy(tree tree) (string, error) {
	dir := filepath.Join(t.folder, "projects", tree.name+"@"+tree.version)
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text, err := goTool(t.folder, nil, "mod", "download", "-json", tree.module+"@"+tree.version)
	var module struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(text, &module); jsonErr == nil && module.Error != "" {
		return "", errors.New(module.Error)
	}
	if err != nil {
		return "", err
	}
	partial := dir + ".partial"
	if err := os.RemoveAll(partial); err != nil {
		return "", err
	}
	if err := os.CopyFS(partial, os.DirFS(module.Dir)); err != nil {
		return "", err
	}
	if err := writable(partial); err != nil {
		return "", err
	}
	return dir, os.Rename(partial, dir)
}

// writable makes copies of files in the module cache, which are read-only, like others.
func writable(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}

// fetch downloads the modules that a run needs, so that neither tool waits for them.
func fetch(dir string, args []string) error {
	list := []string{"list", "-deps", "-e"}
	for _, arg := range args {
		if patterns, ok := strings.CutPrefix(arg, "paths="); ok {
			list = append(list, strings.FieldsFunc(patterns, func(r rune) bool { return r == ';' })...)
		}
	}
	_, err := goTool(dir, nil, list...)
	return err
}

// environment is that of runs in projects: outside of a workspace, with sums of modules that their authors
// did not need.
func environment(more []string) []string {
	return append(append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "KINDSMITH_CACHE=off", "GOGC="), more...) // make sets GOGC
}

// goTool runs the go command in a folder and returns its standard output.
func goTool(dir string, env []string, args ...string) ([]byte, error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, environment(env)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return text, fmt.Errorf("%s: %w\n%s", cmd, err, &stderr)
	}
	return text, nil
}

// measured runs a tool, and returns the memory that it took at most and its messages.
func measured(dir, name string, args []string) (int64, []byte, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, nil, err
	}
	cmd := exec.Command(self, append([]string{measure, name}, args...)...)
	cmd.Dir, cmd.Env = dir, environment(nil)
	var memory bytes.Buffer
	cmd.Stdout = &memory
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); err != nil {
		return 0, nil, fmt.Errorf("%s: %w\n%s", cmd, err, text.Bytes())
	}
	n, err := strconv.ParseInt(memory.String(), 10, 64)
	return n, text.Bytes(), err
}

// measure is the first argument of a process that runs a tool and prints its memory. A process counts the memory of its
// parent from before it became another program, and this one has much, so a small one runs the tools.
const measure = "measure"

// runMeasured runs a tool, whose output goes to standard error, and returns its exit code.
func runMeasured(name string, args []string) int {
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Print(memoryOf(cmd.ProcessState))
	return cmd.ProcessState.ExitCode()
}
