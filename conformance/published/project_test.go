package published_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/conformance/runner"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/defaults"
	"github.com/kindsmith/kindsmith/internal/emit/validation"
	"github.com/kindsmith/kindsmith/internal/objects/verdict"
	"github.com/kindsmith/kindsmith/internal/rules/eval"
	"github.com/kindsmith/kindsmith/internal/rules/rule/enforced"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/engines"
	"github.com/kindsmith/kindsmith/internal/tool/project"
)

// pins is the module that requires the published modules.
const pins = "test/published"

// publishedTypes is a folder with copies of the published packages, what is generated for them, and a program that runs it.
type publishedTypes struct {
	dir string
	set *eval.Set
	// schemas is the engine of the generated definitions, in the folder crds.
	schemas verdict.Engine
	crds    string
	// gaps are the rules, or parts of rules, that generated Go does not enforce.
	gaps []source.Span
	// binary is the program with the generated Go.
	binary string
}

// packagesOf returns the import paths that the pins import.
func packagesOf(t *testing.T) []string {
	t.Helper()
	out, err := goTool(filepath.Join(workspacetest.Root(), pins), "list", "-f", `{{join .Imports "\n"}}`, ".")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// newProject generates code for the published packages and builds it.
func newProject(t *testing.T) *publishedTypes {
	t.Helper()
	// It is always this folder, so that the go command compiles only packages that change.
	p := &publishedTypes{dir: filepath.Join(workspacetest.Root(), "bin", "published")}
	p.crds, p.binary = filepath.Join(p.dir, "crds"), filepath.Join(p.dir, "program", "program")
	if err := os.RemoveAll(p.dir); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	paths := packagesOf(t)
	m := p.generate(t, paths)
	bag := &diag.Bag{}
	schemas, err := engines.Definitions([]string{p.crds}, nil, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, text(bag))
	}
	p.schemas = schemas
	p.copyModules(t, paths)
	p.build(t, m, paths)
	return p
}

// generate runs the compiler as a user does. It reads the packages in the module cache.
func (p *publishedTypes) generate(t *testing.T, paths []string) *model.Model {
	t.Helper()
	s := project.Default()
	cfg := s.Config(source.NewFS(nil))
	cfg.Dir, cfg.Patterns = filepath.Join(workspacetest.Root(), pins), paths
	cfg.Only, cfg.OutputRoot, cfg.CRDDir = []string{"validation", "defaults", "register", "crd"}, filepath.Join(p.dir, "generated"), p.crds
	// The projects use controller-gen, so they get what it publishes.
	noDescriptions := 0
	cfg.OnlyPublished, cfg.Descriptions, cfg.CRDs = true, true, emit.CRDs{Options: schema.Options{ControllerGen: true, Floats: true}, MaxDescription: &noDescriptions}
	bag := &diag.Bag{}
	out, err := driver.Generate(cfg, bag)
	if err != nil || bag.HasErrors() {
		t.Fatal(err, text(bag))
	}
	for _, f := range out.Files {
		if err := write(f.Path, f.Content); err != nil {
			t.Fatal(err)
		}
	}
	programs := cfg.Programs(out.Model())
	p.set = eval.New(programs)
	inGo := enforced.Programs(programs, func(gap enforced.Gap) { p.gaps = append(p.gaps, gap.Span) })
	for _, pkg := range out.Model().Packages {
		for _, typ := range pkg.Types {
			inGo.Of(typ) // the programs are made when they are needed
		}
	}
	return out.Model()
}

// copyModules copies the folders of packages, and of those in their modules that they import.
func (p *publishedTypes) copyModules(t *testing.T, paths []string) {
	t.Helper()
	out, err := goTool(filepath.Join(workspacetest.Root(), pins), append([]string{"list", "-deps", "-json=ImportPath,Dir,Module,GoFiles,EmbedFiles"}, paths...)...)
	if err != nil {
		t.Fatal(err)
	}
	type listed struct {
		ImportPath, Dir     string
		GoFiles, EmbedFiles []string
		Module              *struct{ Path, Dir string }
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	copied := map[string]bool{}
	for _, l := range all {
		if slices.Contains(paths, l.ImportPath) {
			copied[l.Module.Path] = true
		}
	}
	replaced := ""
	for _, l := range all {
		if l.Module == nil || !copied[l.Module.Path] {
			continue
		}
		to := filepath.Join(p.dir, "modules", filepath.FromSlash(l.Module.Path))
		if line := fmt.Sprintf("\nreplace %s => %s\n", l.Module.Path, filepath.ToSlash(to)); !strings.Contains(replaced, line) {
			replaced += line
			copyFile(t, filepath.Join(l.Module.Dir, "go.mod"), filepath.Join(to, "go.mod"))
		}
		folder := filepath.Join(to, strings.TrimPrefix(l.ImportPath, l.Module.Path))
		for _, name := range slices.Concat(l.GoFiles, l.EmbedFiles) {
			copyFile(t, filepath.Join(l.Dir, name), filepath.Join(folder, name))
		}
		for _, path := range p.generated(t, l.ImportPath) {
			copyFile(t, path, filepath.Join(folder, filepath.Base(path)))
		}
	}
	root := workspacetest.Root()
	mod, err := os.ReadFile(filepath.Join(root, pins, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const runtime = "github.com/kindsmith/kindsmith/runtime"
	mod = fmt.Appendf(mod, "\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n%s", runtime, filepath.ToSlash(filepath.Join(root, "runtime")), replaced)
	sums, err := os.ReadFile(filepath.Join(root, pins, "go.sum"))
	more, moreErr := os.ReadFile(filepath.Join(root, "runtime", "go.sum"))
	if err := errors.Join(err, moreErr, write(filepath.Join(p.dir, "go.mod"), mod), write(filepath.Join(p.dir, "go.sum"), append(sums, more...))); err != nil {
		t.Fatal(err)
	}
}

// generated returns the generated Go files of a package.
func (p *publishedTypes) generated(t *testing.T, path string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(p.dir, "generated", filepath.FromSlash(path), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// build builds the program that validates objects of all kinds.
func (p *publishedTypes) build(t *testing.T, m *model.Model, paths []string) {
	t.Helper()
	var imports, types strings.Builder
	for i, path := range paths {
		var code []byte
		for _, file := range p.generated(t, path) {
			if name := filepath.Base(file); name == validation.FileName || name == defaults.FileName {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				code = append(code, text...)
			}
		}
		function := func(name string) string {
			if bytes.Contains(code, []byte("\nfunc "+name+"(")) {
				return fmt.Sprintf("p%d.%s", i, name)
			}
			return "nil"
		}
		count := types.Len()
		for _, kind := range p.set.Kinds() {
			name, _ := p.set.Kind(kind)
			if name.Package == path && m.Type(name) != nil {
				fmt.Fprintf(&types, "\t\trunner.Defaulted[p%d.%s](%q, %s, %s),\n", i, name.Name, name, function("Validate_"+name.Name), function("SetObjectDefaults_"+name.Name))
			}
		}
		if types.Len() > count {
			fmt.Fprintf(&imports, "\tp%d %q\n", i, path)
		}
	}
	main := "package main\n\nimport (\n\t\"github.com/kindsmith/kindsmith/test/published/runner\"\n\n" + imports.String() + ")\n\n" +
		"func main() {\n\trunner.Main(\n" + types.String() + "\t)\n}\n"
	if err := write(filepath.Join(p.dir, "program", "main.go"), []byte(main)); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(workspacetest.Root(), "conformance", "runner", "runner.go"), filepath.Join(p.dir, "runner", "runner.go"))
	if _, err := goTool(p.dir, "build", "-o", p.binary, "./program"); err != nil {
		t.Fatal(err)
	}
}

// run returns the verdicts of generated Go.
func (p *publishedTypes) run(t *testing.T, requests []runner.Request) []runner.Verdict {
	t.Helper()
	input, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(p.binary)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	var verdicts []runner.Verdict
	if err := json.Unmarshal(stdout.Bytes(), &verdicts); err != nil || len(verdicts) != len(requests) {
		t.Fatalf("%d answers to %d requests: %v", len(verdicts), len(requests), err)
	}
	return verdicts
}

// goTool runs the go command.
func goTool(dir string, args ...string) ([]byte, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return stdout.Bytes(), nil
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	if err := errors.Join(err, write(to, content)); err != nil {
		t.Fatal(err)
	}
}

func write(path string, content []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, content, 0o644))
}

func text(bag *diag.Bag) string {
	var b strings.Builder
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			fmt.Fprintf(&b, "%s: %s [%s]\n", d.Span, d.Message, d.Code)
		}
	}
	return b.String()
}
