// Package defaulters generates defaulting functions for all of k8s.io/api with kindsmith and with
// k8s.io/code-generator/cmd/defaulter-gen, and a program that compares them.
package defaulters

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/kindsmith/kindsmith/bench/internal/trees"
	"github.com/kindsmith/kindsmith/bench/internal/usage"
)

const (
	root     = "testdata/gen/defaults"
	fileName = "zz_generated.defaults.go"
)

var function = regexp.MustCompile(`(?m)^func SetObjectDefaults_(\w+)\(`)

// Generate writes both trees, the definition of the sample with defaults, and the package run with
// their tests below testdata/gen of the bench module's folder.
func Generate(dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, root)); err != nil {
		return err
	}
	packages, err := trees.Packages(dir)
	if err != nil {
		return err
	}
	packages = slices.DeleteFunc(packages, func(p trees.Package) bool {
		return path.Base(path.Dir(p.Input)) == "sample" || p.Name == "odd/v1" || p.Name == "meta/v1"
	})
	packages = append(packages, trees.Package{Name: "defaulted/v1", Input: trees.Module + "/internal/sample/defaulted/v1"})
	for _, tool := range []string{trees.Ours, trees.Theirs} {
		for _, p := range packages {
			if err := wrap(filepath.Join(dir, root, tool, filepath.FromSlash(p.Name)), p); err != nil {
				return err
			}
		}
	}
	kindsmith, err := trees.Kindsmith(dir)
	if err != nil {
		return err
	}
	theirs := filepath.Join(dir, "testdata", "gen", "bin", "defaulter-gen")
	for _, args := range [][]string{
		{"go", "build", "-o", theirs, "k8s.io/code-generator/cmd/defaulter-gen"},
		{theirs, "--output-file", fileName, "./" + root + "/" + trees.Theirs + "/..."},
		{kindsmith, "generate", "--only", "defaults", "./" + root + "/" + trees.Ours + "/..."},
		{kindsmith, "generate", "--only", "crd", "--crd-dir", root + "/crd", "./internal/sample/defaulted/v1"},
	} {
		if _, err := usage.Run(usage.Command{Dir: dir, Args: args, Env: append(trees.Overrides(), "KINDSMITH_CACHE=off")}); err != nil {
			return err
		}
	}
	return glue(dir, packages)
}

// wrap writes a package for the defaulting functions of another package's types.
func wrap(dir string, p trees.Package) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "doc.go"), fmt.Appendf(nil, `// +k8s:defaulter-gen=TypeMeta
// +k8s:defaulter-gen-input=%[1]s

// Package %[2]s has the defaulting functions of %[1]s.
package %[2]s

import _ %[1]q // the types
`, p.Input, path.Base(p.Name)), 0o644)
}

// functions returns the types with an exported function.
func functions(dir, tool string, p trees.Package) (map[string]bool, error) {
	content, err := os.ReadFile(filepath.Join(dir, root, tool, filepath.FromSlash(p.Name), fileName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found := map[string]bool{}
	for _, m := range function.FindAllSubmatch(content, -1) {
		found[string(m[1])] = true
	}
	return found, nil
}

// glue writes the tests of package run, which call package compared.
func glue(dir string, packages []trees.Package) error {
	var imports, kinds bytes.Buffer
	for _, p := range packages {
		ours, err := functions(dir, trees.Ours, p)
		if err != nil {
			return err
		}
		theirs, err := functions(dir, trees.Theirs, p)
		if err != nil {
			return err
		}
		all := maps.Clone(ours)
		maps.Copy(all, theirs)
		if len(all) == 0 {
			continue
		}
		short := p.Short()
		fmt.Fprintf(&imports, "types_%s %q\n", short, p.Input)
		for tool, found := range map[string]map[string]bool{trees.Ours: ours, trees.Theirs: theirs} {
			if len(found) > 0 {
				fmt.Fprintf(&imports, "%s_%s %q\n", tool, short, path.Join(trees.Module, root, tool, p.Name))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			call := func(tool string, found map[string]bool) string {
				if !found[name] {
					return "nil"
				}
				return tool + "_" + short + ".SetObjectDefaults_" + name
			}
			fmt.Fprintf(&kinds, "compared.Of[types_%s.%s](%q, %s, %s),\n", short, name, p.Name+"."+name, call(trees.Ours, ours), call(trees.Theirs, theirs))
		}
	}
	text, err := format.Source(fmt.Appendf(nil, `package run

import (
	"testing"

	"%[1]s/internal/defaulters/compared"
%[2]s)

var kinds = []compared.Kind{
%[3]s}

func TestDifferences(t *testing.T) { compared.TestDifferences(t, kinds) }

func TestAllocations(t *testing.T) { compared.TestAllocations(t, kinds) }

func BenchmarkDefaults(b *testing.B) { compared.Benchmark(b, kinds) }
`, trees.Module, imports.Bytes(), kinds.Bytes()))
	if err != nil {
		return err
	}
	out := filepath.Join(dir, root, "run")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "run_test.go"), text, 0o644)
}
