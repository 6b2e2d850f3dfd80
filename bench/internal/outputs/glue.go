package outputs

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/kindsmith/kindsmith/bench/internal/trees"
)

var test = regexp.MustCompile(`(?m)^func (Test\w*)\(`)

// prepare counts the tests of all packages. If they are to be joined, it writes a test that runs them, each in
// the package's folder, where its files are. It includes generated tests.
func (s Suite) prepare(root string, packages []string) error {
	var imports, calls bytes.Buffer
	found := 0
	for i, p := range packages {
		dir := filepath.Join(root, filepath.FromSlash(p))
		if err := s.renameGenerated(dir); err != nil {
			return err
		}
		tests, err := s.testsOf(dir)
		if err != nil {
			return err
		}
		name := "_" // only compile the package
		if len(tests) > 0 {
			name = fmt.Sprintf("p%d", i)
		}
		fmt.Fprintf(&imports, "\t%s %q\n", name, path.Join(trees.Module, s.ours(), p))
		for _, t := range tests {
			fmt.Fprintf(&calls, "\trun(t, %q, %q, %s.%s)\n", p, t, name, t)
		}
		found += len(tests)
	}
	if found < s.min {
		return fmt.Errorf("found %d tests, want at least %d", found, s.min)
	}
	if !s.joined {
		return nil
	}
	return os.WriteFile(filepath.Join(root, "all_test.go"), fmt.Appendf(nil, `package outputs

import (
	"testing"

%s)

func TestAll(t *testing.T) {
%s}

func run(t *testing.T, dir, name string, test func(*testing.T)) {
	t.Run(dir+"/"+name, func(t *testing.T) {
		t.Chdir(dir)
		test(t)
	})
}
`, imports.Bytes(), calls.Bytes()), 0o644)
}

// renameGenerated renames the tests that kindsmith generated.
func (s Suite) renameGenerated(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, generated+"*"+testFile))
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Rename(name, s.cased(name)); err != nil {
			return err
		}
	}
	return nil
}

// testsOf returns the names of a package's tests.
func (s Suite) testsOf(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, s.cased("*"+testFile)))
	if err != nil {
		return nil, err
	}
	var tests []string
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for _, m := range test.FindAllSubmatch(content, -1) {
			tests = append(tests, string(m[1]))
		}
	}
	return tests, nil
}
