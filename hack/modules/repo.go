package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// published are the folders of the modules that users install and require. All other modules of the
// repository are for its own tests.
var published = []string{
	".",
	"apiserver",
	"cmd/kindsmith-converter",
	"runtime",
	"runtime/apply",
	"runtime/rollout/metrics",
	"runtime/rollout/rollouttest",
	"runtime/ruletest",
	"runtime/jsonconvert/tracing",
	"storage",
	"webhook",
}

// programs are published modules with programs only, whose dependencies have other versions than the workspace.
var programs = []string{"apiserver"}

// groups select modules by a name. The floor is tested in libraries that do not require the compiler, which
// needs newer versions.
var groups = map[string]func(*Repo, *Module) bool{
	"published": func(_ *Repo, m *Module) bool { return m.Published },
	"programs":  func(_ *Repo, m *Module) bool { return slices.Contains(programs, m.Dir) },
	"libraries": func(_ *Repo, m *Module) bool { return m.library() },
	"floor": func(r *Repo, m *Module) bool {
		return m.library() && !slices.ContainsFunc(m.requires(r), func(m *Module) bool { return m.Dir == "." })
	},
	"examples":  func(_ *Repo, m *Module) bool { return strings.HasPrefix(m.Dir, "examples/") },
	"workspace": func(_ *Repo, m *Module) bool { return m.Workspace },
	"all":       func(*Repo, *Module) bool { return true },
}

// A Module is one go.mod file of the repository.
type Module struct {
	// Dir is the folder of the module, relative to the repository and with slashes.
	Dir string
	// Published modules get a tag in each release. Workspace modules are in go.work.
	Published, Workspace bool
	// Mod is the content of go.mod.
	Mod *modfile.File
}

// Path returns the module path.
func (m *Module) Path() string { return m.Mod.Module.Mod.Path }

func (m *Module) library() bool {
	return m.Published && m.Dir != "." && !slices.Contains(programs, m.Dir)
}

// Tag returns the name of the tag of a version.
func (m *Module) Tag(version string) string { return path.Join(m.Dir, version) }

// requires returns the modules of the repository that a module requires, also indirectly.
func (m *Module) requires(r *Repo) []*Module {
	var all []*Module
	for _, req := range m.Mod.Require {
		if other := r.byPath[req.Mod.Path]; other != nil {
			all = append(all, other)
		}
	}
	return all
}

// A Repo is the repository on disk.
type Repo struct {
	// Root is the absolute folder.
	Root string
	// Modules are all modules in the order of their folders.
	Modules []*Module
	byPath  map[string]*Module
}

// Open reads the modules of the repository that has a folder.
func Open(dir string) (*Repo, error) {
	out, err := gitOutput(dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r := &Repo{Root: strings.TrimSpace(out), byPath: map[string]*Module{}}
	names, err := r.files("*go.mod")
	if err != nil {
		return nil, err
	}
	uses, err := r.workspace()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if path.Base(name) != "go.mod" || slices.Contains(strings.Split(name, "/"), "testdata") {
			continue
		}
		dir := path.Dir(name)
		m := &Module{Dir: dir, Published: slices.Contains(published, dir), Workspace: uses[dir]}
		if m.Mod, err = parse(r.path(name)); err != nil {
			return nil, err
		}
		r.Modules = append(r.Modules, m)
		r.byPath[m.Path()] = m
	}
	slices.SortFunc(r.Modules, func(a, b *Module) int { return strings.Compare(a.Dir, b.Dir) })
	return r, nil
}

func (r *Repo) path(name string) string { return filepath.Join(r.Root, filepath.FromSlash(name)) }

// files returns the files that git knows or would add and that match a pattern.
func (r *Repo) files(pattern string) ([]string, error) {
	out, err := gitOutput(r.Root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", pattern)
	if err != nil {
		return nil, err
	}
	names := strings.FieldsFunc(out, func(c rune) bool { return c == 0 })
	names = slices.DeleteFunc(names, func(name string) bool { // deleted, but not yet from the index
		_, err := os.Lstat(r.path(name))
		return err != nil
	})
	slices.Sort(names)
	return names, nil
}

// workspace returns the folders of go.work. A repository without go.work has none.
func (r *Repo) workspace() (map[string]bool, error) {
	name := r.path("go.work")
	content, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork(name, content, nil)
	if err != nil {
		return nil, err
	}
	uses := map[string]bool{}
	for _, use := range work.Use {
		uses[path.Clean(use.Path)] = true
	}
	return uses, nil
}

// Group returns the modules of a group.
func (r *Repo) Group(name string) ([]*Module, error) {
	in, ok := groups[name]
	if !ok {
		return nil, fmt.Errorf("there is no group %q; the groups are %s", name, strings.Join(slices.Sorted(maps.Keys(groups)), ", "))
	}
	return slices.DeleteFunc(slices.Clone(r.Modules), func(m *Module) bool { return !in(r, m) }), nil
}

// Order returns the published modules, each after those that it requires.
func (r *Repo) Order() []*Module {
	var order []*Module
	var visit func(*Module)
	visit = func(m *Module) {
		if !m.Published || slices.Contains(order, m) {
			return
		}
		for _, other := range m.requires(r) {
			visit(other)
		}
		order = append(order, m)
	}
	for _, m := range r.Modules {
		visit(m)
	}
	return order
}

// Check returns what would stop a user of the published modules, or what go.work hides from developers.
func (r *Repo) Check() error {
	var mistakes []error
	report := func(m *Module, format string, args ...any) {
		mistakes = append(mistakes, fmt.Errorf("%s: %s", path.Join(m.Dir, "go.mod"), fmt.Sprintf(format, args...)))
	}
	for _, dir := range published {
		if !slices.ContainsFunc(r.Modules, func(m *Module) bool { return m.Dir == dir }) {
			mistakes = append(mistakes, fmt.Errorf("%s is a published module, but has no go.mod file", dir))
		}
	}
	version := r.required()
	for _, m := range r.Modules {
		if m.Published && len(m.Mod.Replace)+len(m.Mod.Exclude) > 0 {
			report(m, "a published module has no replace and exclude lines: go install refuses it, and other users do not see them")
		}
		for _, newer := range r.behind(m) {
			report(m, "does not require %s %s like another module, so packages compile twice; run make tidy", newer.Path, newer.Version)
		}
		for _, req := range m.Mod.Require {
			other := r.byPath[req.Mod.Path]
			if other == nil {
				continue
			}
			if req.Mod.Version != version {
				report(m, "requires %s %s, and other modules require %s", other.Path(), req.Mod.Version, version)
			}
			if m.Published && !other.Published {
				report(m, "requires %s, which is not published", other.Path())
			}
			if !m.Published && !slices.ContainsFunc(m.Mod.Replace, func(r *modfile.Replace) bool { return r.Old.Path == other.Path() }) {
				report(m, "does not replace %s by its folder, so it cannot be built without go.work", other.Path())
			}
		}
	}
	if semver.Canonical(version) != version || module.IsPseudoVersion(version) {
		mistakes = append(mistakes, fmt.Errorf("the modules require each other at %s, which is not a release", version))
	}
	return errors.Join(mistakes...)
}

// required returns the version at which the modules require each other; "" if none requires another.
func (r *Repo) required() string {
	for _, m := range r.Modules {
		for _, req := range m.Mod.Require {
			if r.byPath[req.Mod.Path] != nil {
				return req.Mod.Version
			}
		}
	}
	return ""
}

// machinery has the version of Kubernetes' libraries.
const machinery = "k8s.io/apimachinery"

// behind returns what a module requires in older versions than another module. Modules with the main module's minor version of
// Kubernetes' libraries have the same versions of all others: one that differs makes the go command compile everything above
// it again, in each of them.
func (r *Repo) behind(m *Module) []module.Version {
	if !r.compiledOnce(m) {
		return nil
	}
	newest := map[string]string{}
	for _, other := range r.Modules {
		if !r.compiledOnce(other) {
			continue
		}
		for _, req := range other.Mod.Require {
			if semver.Compare(req.Mod.Version, newest[req.Mod.Path]) > 0 {
				newest[req.Mod.Path] = req.Mod.Version
			}
		}
	}
	var newer []module.Version
	for _, req := range m.Mod.Require {
		if version := newest[req.Mod.Path]; r.byPath[req.Mod.Path] == nil && version != req.Mod.Version {
			newer = append(newer, module.Version{Path: req.Mod.Path, Version: version})
		}
	}
	return newer
}

// compiledOnce reports whether a module has the main module's minor version of Kubernetes' libraries.
func (r *Repo) compiledOnce(m *Module) bool {
	minor := func(m *Module) string {
		for _, req := range m.Mod.Require {
			if req.Mod.Path == machinery {
				return semver.MajorMinor(req.Mod.Version)
			}
		}
		return ""
	}
	i := slices.IndexFunc(r.Modules, func(m *Module) bool { return m.Dir == "." })
	return i >= 0 && minor(m) != "" && minor(m) == minor(r.Modules[i])
}

// parse reads a go.mod file.
func parse(name string) (*modfile.File, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return modfile.Parse(name, content, nil)
}

// gitOutput runs git in a folder, and returns what it writes to standard output.
func gitOutput(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	var out, mistakes bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &mistakes
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w\n%s", strings.Join(args, " "), err, mistakes.String())
	}
	return out.String(), nil
}
