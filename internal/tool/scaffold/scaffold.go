// Package scaffold plans what a project needs to use kindsmith: settings, the tool, a way to run it,
// and, on request, the source of a kind.
//
// [New] takes a [Request], and returns a [Plan]: files to create, changes to show, and the commands that come next.
package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/tool/project"
	"github.com/kindsmith/kindsmith/internal/tool/wiring"
)

// Tool is the package of the command.
const Tool = "github.com/kindsmith/kindsmith/cmd/kindsmith"

// Request is what a project asks for.
type Request struct {
	// Dir is a folder of the project.
	Dir string
	// Module is the path of a new module.
	Module string
	// Group, Version and Kind are those of a new kind; Group and Kind are "" for none.
	Group, Version, Kind string
	// Webhook asks for a manager that runs webhooks, and its manifests.
	Webhook bool
	// APIs are the groups that the project has, for Webhook.
	APIs []wiring.API
	// Release is the version of kindsmith that the project uses, such as v0.1.0. It is "" if it is not
	// known: then New fails if it has to write one.
	Release string
	// Files is the file system.
	Files *source.FS
}

// GetLine returns the command line of Get.
func (p *Plan) GetLine() string { return "GOWORK=off go " + strings.Join(p.Get, " ") }

// Plan is what a project lacks.
type Plan struct {
	// New are files that do not exist.
	New []*driver.File
	// Edits are changes of existing files, which belong to people.
	Edits []*driver.File
	// Root is the folder of the project's module. Get are the arguments of the go command that adds
	// the tool, without a workspace and after the changes; none if the project has the tool.
	Root string
	Get  []string
	// Notes are remarks about the project, Next are commands to run after the changes.
	Notes, Next []string
	// Trial is a command line that runs the project after the commands of Next; "" for none.
	Trial string
}

// builder builds a plan.
type builder struct {
	Request
	Plan
	root string
	// hooks are the settings for webhooks; nil for none.
	hooks *webhookSettings
	// command runs kindsmith; "" if the project has a way of its own.
	command string
}

var (
	kindForm  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	groupForm = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$`)
)

// check returns mistakes in the request.
func (r *Request) check() error {
	switch {
	case r.Release != "" && module.CanonicalVersion(r.Release) != r.Release:
		return fmt.Errorf("--release %s is not a version such as v0.1.0; all who work on a project run the same", r.Release)
	case (r.Group == "") != (r.Kind == ""):
		return errors.New("a kind has a group: --group shop.example.com --kind Order")
	case r.Kind == "":
		return nil
	case !groupForm.MatchString(r.Group):
		return fmt.Errorf("--group %s is not a domain name with a dot, such as shop.example.com", r.Group)
	case !model.IsVersion(r.Version):
		return fmt.Errorf("--version %s is not a version such as v1, v1beta1 or v2alpha1", r.Version)
	case !kindForm.MatchString(r.Kind):
		return fmt.Errorf("--kind %s is not an upper camel case name such as Order", r.Kind)
	}
	return nil
}

// errNoRelease reports that a project would get no version.
var errNoRelease = errors.New(`this program was built from a clone of kindsmith and has no version that the project could use.
Name a release, as in kindsmith init --release v0.1.0, or run one, as in go run ` + Tool + `@latest init.
To use the clone, see "A local checkout" in docs/start/install.md`)

// pinned returns the version of kindsmith that the project uses.
func (b *builder) pinned() (string, error) {
	if b.Release == "" {
		return "", errNoRelease
	}
	return b.Release, nil
}

// New returns what a project lacks. An error describes a mistake in the request, or a file that
// cannot be read.
func New(r Request) (*Plan, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(r.Dir)
	if err != nil {
		return nil, err
	}
	b := &builder{Request: r, root: dir}
	b.Dir = dir
	if err := b.module(); err != nil {
		return nil, err
	}
	if b.has("PROJECT") && r.Kind != "" {
		return nil, errors.New("this is a project of kubebuilder, which adds kinds itself: kubebuilder create api")
	}
	for _, step := range []func() error{b.kind, b.webhooks, b.settings, b.runs, b.workflow, b.wire} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	b.Root = b.root
	return &b.Plan, nil
}

// module finds the module, or plans a new one.
func (b *builder) module() error {
	if root, ok := b.Files.Above(b.root, "go.mod"); ok {
		b.root = root
		content, _ := b.read("go.mod")
		b.Module = modfile.ModulePath(content)
		return nil
	}
	if b.Module == "" {
		return errors.New("there is no go.mod file here or above; name the new module, as in --module example.com/shop")
	}
	if err := module.CheckImportPath(b.Module); err != nil {
		return fmt.Errorf("--module: %w", err)
	}
	b.Next = append(b.Next, "go mod tidy")
	return b.create("go.mod", "go.mod", b)
}

// kind plans the source of a kind.
func (b *builder) kind() error {
	if b.Kind == "" {
		return nil
	}
	dir := b.kindDir()
	lower := strings.ToLower(b.Kind)
	short := strings.Split(b.Group, ".")[0]
	if gomod, err := b.read("go.mod"); err == nil && !strings.Contains(string(gomod), "k8s.io/apimachinery ") {
		b.Next = append(b.Next, "go mod tidy") // a new module has this line already
	}
	if b.groupOf(dir) == "" {
		if err := b.create(path.Join(dir, "groupversion_info.go"), "groupversion_info.go", b); err != nil {
			return err
		}
	}
	if err := b.create(path.Join(dir, lower+"_types.go"), "types.go", b); err != nil {
		return err
	}
	return b.create(path.Join("config", "samples", short+"_"+b.Version+"_"+lower+".yaml"), "sample.yaml", b)
}

// kindDir returns the folder of the new kind's version.
func (b *builder) kindDir() string {
	dir := path.Join("api", b.Version)
	if group := b.groupOf(dir); group != "" && group != b.Group {
		dir = path.Join("api", strings.Split(b.Group, ".")[0], b.Version)
	}
	return dir
}

var groupLine = regexp.MustCompile(`(?m)^//\s*\+groupName=(\S+)`)

// groupOf returns the API group of a package; "" if there is none.
func (b *builder) groupOf(dir string) string {
	names, _ := b.Files.List(source.GoFiles, b.path(dir))
	for _, name := range names {
		content, _ := b.read(path.Join(dir, name))
		if m := groupLine.FindSubmatch(content); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// settings plans kindsmith.yaml.
func (b *builder) settings() error {
	data := struct {
		SchemaLine, Packages, Header string
		Webhook                      *webhookSettings
	}{project.SchemaLine, "./...", "", b.hooks}
	folders, _ := b.Files.List(source.Folders, b.root)
	for _, name := range []string{"api", "apis"} {
		if slices.Contains(folders, name+"/") || name == "api" && b.Kind != "" {
			data.Packages = "./" + name + "/..."
			break
		}
	}
	if b.has("hack/boilerplate.go.txt") {
		data.Header = "hack/boilerplate.go.txt"
	}
	return b.create(project.FileName, "kindsmith.yaml", data)
}

// workflow plans a check in CI.
func (b *builder) workflow() error {
	const dir = ".github/workflows"
	names, _ := b.Files.List(source.Manifests, b.path(dir))
	for _, name := range names {
		content, err := b.read(path.Join(dir, name))
		if err != nil {
			return err
		}
		if text := string(content); strings.Contains(text, "kindsmith") || strings.Contains(text, "check-generated") {
			return nil
		}
	}
	if len(names) > 0 {
		return b.create(dir+"/kindsmith.yaml", "workflow.yaml", nil)
	}
	if !slices.ContainsFunc(slices.Concat(b.New, b.Edits), func(f *driver.File) bool { return f.Path == b.path("Makefile") }) {
		return nil // an earlier run has given the advice
	}
	b.Notes = append(b.Notes, "In CI, check that generated files are up to date: make check-generated")
	return nil
}

func (b *builder) path(name string) string { return filepath.Join(b.root, filepath.FromSlash(name)) }

func (b *builder) read(name string) ([]byte, error) { return b.Files.ReadFile(b.path(name)) }

// has reports whether the project has a file.
func (b *builder) has(name string) bool {
	_, err := b.read(name)
	return err == nil
}

// file returns a file of the plan.
func (b *builder) file(name string, previous, content []byte) *driver.File {
	display := name
	if rel, err := filepath.Rel(b.Dir, b.path(name)); err == nil {
		display = filepath.ToSlash(rel)
	}
	return &driver.File{Path: b.path(name), Name: display, Previous: previous, Content: content}
}

// create plans a file from a template, unless it exists.
func (b *builder) create(name, template string, data any) error {
	_, err := b.read(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	content, err := render(template, data)
	if err != nil {
		return err
	}
	b.New = append(b.New, b.file(name, nil, content))
	return nil
}

// edit plans a change of a file.
func (b *builder) edit(name string, previous []byte, content string) {
	content = string(source.EndingsOf(previous, source.LF([]byte(content))))
	b.Edits = append(b.Edits, b.file(name, previous, []byte(content)))
}
