// Package outputs runs upstream's tests of generated code on kindsmith's output:
// packages of tagged types, each with the expected errors. It copies them from the
// module cache; the copies are not part of the repository.
package outputs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/bench/internal/trees"
	"github.com/kindsmith/kindsmith/bench/internal/usage"
)

const (
	upstream = "k8s.io/code-generator"
	// theirs is the folder of the packages in upstream's module; ours is the folder in
	// the bench module.
	theirs = "cmd/validation-gen/output_tests"
	ours   = "testdata/gen/outputs"

	generated = "zz_generated"
	testFile  = "_test.go"
	// caseFile is the name of test files in the copy: all of them are compiled into one
	// program, because linking one per package takes minutes.
	caseFile = "_cases.go"
)

// Run copies the packages to testdata/gen in the bench module's folder, generates
// their validators with kindsmith, and runs their tests. The error has the output of
// failed tests.
func Run(dir string) error {
	root := filepath.Join(dir, filepath.FromSlash(ours))
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	from, err := module(dir)
	if err != nil {
		return err
	}
	if err := copyAll(filepath.Join(from, filepath.FromSlash(theirs)), root); err != nil {
		return err
	}
	if err := amend(root); err != nil {
		return err
	}
	kindsmith, err := trees.Kindsmith(dir)
	if err != nil {
		return err
	}
	packages, err := packagesBelow(root)
	if err != nil {
		return err
	}
	args := []string{kindsmith, "generate", "--only", "validation"}
	for _, p := range packages {
		args = append(args, "./"+path.Join(ours, p))
	}
	if _, err := usage.Run(usage.Command{Dir: dir, Args: args, Env: append(trees.Overrides(), "KINDSMITH_CACHE=off")}); err != nil {
		return err
	}
	if err := glue(root, packages); err != nil {
		return err
	}
	_, err = usage.Run(usage.Command{Dir: dir, Args: []string{"go", "test", "-vet=off", "./" + ours}, Env: trees.Overrides()})
	return err
}

// module returns the folder of upstream's module.
func module(dir string) (string, error) {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", upstream)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), trees.Overrides()...)
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go list -m %s: %w", upstream, err)
	}
	return strings.TrimSpace(string(out)), nil
}

// copyAll copies the packages without upstream's generated files, and changes import
// paths to those of the copies.
func copyAll(from, to string) error {
	imports := strings.NewReplacer(path.Join(upstream, theirs), path.Join(trees.Module, ours))
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), generated) || filepath.Dir(name) == from {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		copied := filepath.Join(to, cased(rel))
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			return err
		}
		return os.WriteFile(copied, []byte(imports.Replace(string(content))), 0o644)
	})
}

// cased returns the name of a file in the copy.
func cased(name string) string {
	if base, ok := strings.CutSuffix(name, testFile); ok {
		return base + caseFile
	}
	return name
}

// packagesBelow returns the folders with Go files, relative to the root.
func packagesBelow(root string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(name))
		list = append(list, filepath.ToSlash(rel))
		return err
	})
	if err == nil && len(list) == 0 {
		err = errors.New("no packages in " + root)
	}
	slices.Sort(list)
	return slices.Compact(list), err
}
