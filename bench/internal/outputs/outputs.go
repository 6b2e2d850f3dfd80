// Package outputs runs upstream's tests of generated code on kindsmith's output. It copies their
// packages from the module cache; the copies are not part of the repository.
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
	// gen is the folder of the copies in the bench module.
	gen = "testdata/gen"

	generated = "zz_generated"
	testFile  = "_test.go"
	// caseFile is the name of test files in a copy whose tests are one program.
	caseFile = "_cases.go"
	// generateFile has the command that runs upstream's tool.
	generateFile = "generate.go"
)

// Suite is the folder of tests of one of upstream's generators.
type Suite struct {
	// Tool is the generator, Part the part of kindsmith that replaces it.
	Tool, Part string
	// min is the minimum number of tests; finding fewer is an error.
	min int
	// joined compiles all tests into one program, because linking one per package takes minutes.
	joined bool
	// declares is set if our files declare the exported names that upstream's declare.
	declares bool
}

// Suites are upstream's suites.
func Suites() []Suite {
	return []Suite{
		{Tool: "validation-gen", Part: "validation", min: 150, joined: true},
		{Tool: "deepcopy-gen", Part: "deepcopy", min: 7, declares: true},
		{Tool: "defaulter-gen", Part: "defaults", min: 3, declares: true},
		{Tool: "register-gen", Part: "register", declares: true},
	}
}

// theirs returns the folder of the packages in upstream's module.
func (s Suite) theirs() string { return path.Join("cmd", s.Tool, "output_tests") }

// ours returns the folder of the copies in the bench module.
func (s Suite) ours() string {
	if s.joined {
		return gen + "/outputs"
	}
	return gen + "/" + s.Tool
}

// Run copies the packages to testdata/gen in the bench module's folder, generates
// code for them with kindsmith, and runs their tests. The error has the output of
// failed tests.
func (s Suite) Run(dir string) error {
	root := filepath.Join(dir, filepath.FromSlash(s.ours()))
	if err := os.RemoveAll(root); err != nil {
		return err
	}
	from, err := module(dir)
	if err != nil {
		return err
	}
	from = filepath.Join(from, filepath.FromSlash(s.theirs()))
	if err := s.copyAll(from, root); err != nil {
		return err
	}
	if err := s.amend(root); err != nil {
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
	args := []string{kindsmith, "generate", "--only", s.Part}
	for _, p := range packages {
		args = append(args, "./"+path.Join(s.ours(), p))
	}
	if _, err := usage.Run(usage.Command{Dir: dir, Args: args, Env: append(trees.Overrides(), "KINDSMITH_CACHE=off")}); err != nil {
		return err
	}
	if s.declares {
		if err := compareNames(from, root); err != nil {
			return err
		}
	}
	if err := s.prepare(root, packages); err != nil {
		return err
	}
	tests := "./" + s.ours()
	if !s.joined {
		tests += "/..."
	}
	_, err = usage.Run(usage.Command{Dir: dir, Args: []string{"go", "test", "-vet=off", tests}, Env: trees.Overrides()})
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
func (s Suite) copyAll(from, to string) error {
	imports := strings.NewReplacer(path.Join(upstream, s.theirs()), path.Join(trees.Module, s.ours()))
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), generated) || filepath.Dir(name) == from && d.Name() == generateFile {
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
		copied := filepath.Join(to, s.cased(rel))
		if err := os.MkdirAll(filepath.Dir(copied), 0o755); err != nil {
			return err
		}
		return os.WriteFile(copied, []byte(imports.Replace(string(content))), 0o644)
	})
}

// cased returns the name of a file in the copy.
func (s Suite) cased(name string) string {
	if base, ok := strings.CutSuffix(name, testFile); ok && s.joined {
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
