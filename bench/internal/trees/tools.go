package trees

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/bench/internal/usage"
)

// FileName is the name of the generated file in each package.
const FileName = "zz_generated.validations.go"

// Tool is one of the two generators.
type Tool struct {
	// Name is also the name of the tool's tree.
	Name string
	// args is the command without the packages.
	args []string
}

// Names of the tools.
const (
	Ours   = "ours"
	Theirs = "theirs"
)

// readOnly are packages whose types have no validators. Upstream's tool needs a flag
// for each.
var readOnly = []string{
	metaV1,
	"k8s.io/apimachinery/pkg/api/resource",
	"k8s.io/apimachinery/pkg/runtime",
	"k8s.io/apimachinery/pkg/types",
	"k8s.io/apimachinery/pkg/util/intstr",
	"time",
}

// Workspace is the folder for generated files.
type Workspace struct {
	// Dir is the folder of the bench module, Root that of the trees.
	Dir, Root string
	Packages  []Package
	Tools     []Tool
}

// environment is the environment of commands: bench's go.mod and fixed settings, so
// that results do not depend on the machine's configuration.
func environment() []string { return append(os.Environ(), Overrides()...) }

// Overrides are the variables that differ from the caller's environment.
func Overrides() []string { return []string{"GOWORK=off", "GOFLAGS="} }

// Prepare builds the tools and writes the input packages below testdata/gen of the
// bench module's folder.
func Prepare(dir string) (*Workspace, error) {
	w := &Workspace{Dir: dir, Root: filepath.Join(dir, "testdata", "gen")}
	ours, err := Kindsmith(dir)
	if err != nil {
		return nil, err
	}
	theirs := filepath.Join(w.Root, "bin", "validation-gen")
	w.Tools = []Tool{
		{Name: Ours, args: []string{ours, "generate", "--only", "validation"}},
		{Name: Theirs, args: []string{theirs, "--output-file", FileName}},
	}
	for _, p := range readOnly {
		w.Tools[1].args = append(w.Tools[1].args, "--readonly-pkg", p)
	}
	build := usage.Command{Dir: dir, Args: []string{"go", "build", "-o", theirs, "k8s.io/code-generator/cmd/validation-gen"}, Env: Overrides()}
	if _, err := usage.Run(build); err != nil {
		return nil, err
	}
	if w.Packages, err = Packages(dir); err != nil {
		return nil, err
	}
	for _, t := range w.Tools {
		for _, p := range w.Packages {
			if err := wrap(w.tree(t), p); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// Kindsmith builds this repository's tool below testdata/gen of the bench
// module's folder, and returns its path. It builds in the workspace, which has the
// runtime on disk.
func Kindsmith(dir string) (string, error) {
	tool := filepath.Join(dir, "testdata", "gen", "bin", "kindsmith")
	_, err := usage.Run(usage.Command{Dir: filepath.Dir(dir), Args: []string{"go", "build", "-o", tool, "./cmd/kindsmith"}, Env: append(Overrides(), "GOWORK=")})
	return tool, err
}

func (w *Workspace) tree(t Tool) string { return filepath.Join(w.Root, t.Name) }

// remove removes the tool's output.
func (w *Workspace) remove(t Tool) error {
	for _, p := range w.Packages {
		err := os.Remove(w.file(t.Name, p))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Generate runs both tools and writes the files that need their output: the program
// with all validators, and the definitions.
func (w *Workspace) Generate() error {
	for _, t := range w.Tools {
		if _, err := w.run(t); err != nil {
			return err
		}
	}
	return w.complete()
}

// complete writes the files that need the tools' output.
func (w *Workspace) complete() error {
	if err := w.glue(); err != nil {
		return err
	}
	return w.define()
}

// run runs a tool on its tree.
func (w *Workspace) run(t Tool) (usage.Usage, error) {
	args := append(slices.Clone(t.args), "./testdata/gen/"+t.Name+"/...")
	env := append(Overrides(), "KINDSMITH_CACHE="+filepath.Join(w.Root, "cache"))
	return usage.Run(usage.Command{Dir: w.Dir, Args: args, Env: env})
}

// file returns the path of a generated file.
func (w *Workspace) file(tool string, p Package) string {
	return filepath.Join(w.Root, tool, filepath.FromSlash(p.Name), FileName)
}

// Go runs the go command in the bench module, with its output passed on.
func (w *Workspace) Go(args ...string) error {
	return passOn(w.Dir, append([]string{"go"}, args...))
}
