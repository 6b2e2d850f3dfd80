package trees

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
)

var (
	validator = regexp.MustCompile(`(?m)^func Validate_(\w+)\(`)
	registers = regexp.MustCompile(`(?m)^func RegisterValidations\(`)
	// options finds the option names in our generated code, which has all of them.
	options = regexp.MustCompile(`validate\.(?:If)?(?:Enabled|Disabled)\(r, (?:&?\w+, )?"(\w+)"\)`)
	// words finds the strings that generated code compares values with.
	words = regexp.MustCompile(`(?:[!=]= |case |UnionMember\("\w+", )"([^"/]+)"`)
)

// generated is the content of a generated file.
type generated struct {
	validators map[string]bool
	registers  bool
	options    map[string]bool
	words      map[string]bool
}

func (w *Workspace) read(tool string, p Package) (generated, error) {
	g := generated{validators: map[string]bool{}, options: map[string]bool{}, words: map[string]bool{}}
	content, err := os.ReadFile(w.file(tool, p))
	if errors.Is(err, fs.ErrNotExist) {
		return g, nil
	}
	if err != nil {
		return g, err
	}
	g.registers = registers.Match(content)
	for re, found := range map[*regexp.Regexp]map[string]bool{validator: g.validators, options: g.options, words: g.words} {
		for _, m := range re.FindAllSubmatch(content, -1) {
			found[string(m[1])] = true
		}
	}
	return g, nil
}

// glue writes the package main with all generated validators in pairs. It calls
// package suite.
func (w *Workspace) glue() error {
	dir := filepath.Join(w.Root, "run")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var imports, pairs, schemes, strings bytes.Buffer
	names := map[string]bool{}
	for _, p := range w.Packages {
		ours, err := w.read(Ours, p)
		if err != nil {
			return err
		}
		theirs, err := w.read(Theirs, p)
		if err != nil {
			return err
		}
		all := maps.Clone(ours.validators)
		maps.Copy(all, theirs.validators)
		if len(all) == 0 {
			continue
		}
		fmt.Fprintf(&imports, "types_%s %q\n", p.Short(), p.Input)
		for _, tool := range []string{Ours, Theirs} {
			g := map[string]generated{Ours: ours, Theirs: theirs}[tool]
			if len(g.validators) > 0 {
				fmt.Fprintf(&imports, "%s_%s %q\n", tool, p.Short(), Module+"/testdata/gen/"+tool+"/"+p.Name)
			}
			if g.registers {
				fmt.Fprintf(&schemes, "{%q, %q, %s_%s.AddToScheme},\n", tool, p.Name, tool, p.Short())
			}
		}
		for _, name := range slices.Sorted(maps.Keys(all)) {
			call := func(tool string, g generated) string {
				if !g.validators[name] {
					return "nil"
				}
				return tool + "_" + p.Short() + ".Validate_" + name
			}
			fmt.Fprintf(&pairs, "pair.Of[types_%s.%s](%q, %q, %s, %s),\n", p.Short(), name, p.Name, name, call(Ours, ours), call(Theirs, theirs))
		}
		maps.Copy(names, ours.options)
		compared := maps.Clone(ours.words)
		maps.Copy(compared, theirs.words)
		if len(compared) > 0 {
			fmt.Fprintf(&strings, "%q: %#v,\n", p.Name, slices.Sorted(maps.Keys(compared)))
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `package main

import (
	"%[1]s/internal/pair"
	"%[1]s/internal/suite"
%[2]s)

func main() { suite.Main(generated) }

var generated = suite.Generated{
	Kinds: []pair.Kind{
%[3]s},
	Schemes: []suite.Scheme{
%[4]s},
	Options: %#[5]v,
	Words: map[string][]string{
%[6]s},
}
`, Module, imports.Bytes(), pairs.Bytes(), schemes.Bytes(), slices.Sorted(maps.Keys(names)), strings.Bytes())
	main, err := format.Source(b.Bytes())
	if err != nil {
		return err
	}
	if err := write(filepath.Join(dir, "main.go"), string(main)); err != nil {
		return err
	}
	return write(filepath.Join(dir, "main_test.go"), fmt.Sprintf(`package main

import (
	"testing"

	"%s/internal/suite"
)

func TestAllocations(t *testing.T) { suite.TestAllocations(t, generated) }

func TestDifferences(t *testing.T) { suite.TestDifferences(t, generated) }

func TestSubresources(t *testing.T) { suite.TestSubresources(t, generated) }

func FuzzDifferences(f *testing.F) { suite.FuzzDifferences(f, generated) }
`, Module))
}

func passOn(dir string, args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, environment()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
