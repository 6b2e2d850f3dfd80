package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Tidy runs go mod tidy on a module, with the other modules of the repository as they are on disk, after raising what others
// require in newer versions. The go command does not look at go.work for this, and would download versions that do not exist yet.
func (r *Repo) Tidy(m *Module) error {
	temp, err := os.MkdirTemp("", "tidy")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(temp) }()
	for _, newer := range r.behind(m) {
		if err := m.Mod.AddRequire(newer.Path, newer.Version); err != nil {
			return err
		}
	}
	name, sums := filepath.Join(temp, "go.mod"), filepath.Join(temp, "go.sum")
	before, err := r.localModfile(m, name)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "mod", "tidy", "-modfile="+name)
	cmd.Dir, cmd.Env, cmd.Stderr = r.path(m.Dir), append(os.Environ(), "GOWORK=off", "GOFLAGS="), os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", m.Dir, err)
	}
	tidied, err := parse(name)
	if err != nil {
		return err
	}
	for _, req := range tidied.Require {
		if module.IsZeroPseudoVersion(req.Mod.Version) { // a module of the repository that is required from now on
			if err := tidied.AddRequire(req.Mod.Path, r.required()); err != nil {
				return err
			}
		}
	}
	m.Mod.SetRequireSeparateIndirect(tidied.Require)
	if err := r.replaceRequired(m); err != nil {
		return err
	}
	m.Mod.Cleanup()
	content, err := m.Mod.Format()
	if err != nil {
		return err
	}
	after, err := os.ReadFile(sums)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	released := ""
	for line := range strings.Lines(string(before)) {
		if name, _, _ := strings.Cut(line, " "); r.byPath[name] != nil {
			released += line
		}
	}
	if err := os.WriteFile(r.path(path.Join(m.Dir, "go.mod")), content, 0o644); err != nil {
		return err
	}
	if merged := mergeSums(r.foreignSums(after), released); len(merged) > 0 {
		return os.WriteFile(r.path(path.Join(m.Dir, "go.sum")), merged, 0o644)
	}
	return nil
}

// replaceRequired lets a module that is not published find the others in their folders.
func (r *Repo) replaceRequired(m *Module) error {
	if m.Published {
		return nil
	}
	for _, other := range m.requires(r) {
		dir, err := filepath.Rel(r.path(m.Dir), r.path(other.Dir))
		if err != nil {
			return err
		}
		if err := m.Mod.AddReplace(other.Path(), "", filepath.ToSlash(dir), ""); err != nil {
			return err
		}
	}
	return nil
}

// localModfile writes the go.mod file of a module with all modules of the repository replaced by their
// folders, and its go.sum file beside it, for the flag -modfile of the go command. It returns go.sum.
func (r *Repo) localModfile(m *Module, name string) ([]byte, error) {
	text, err := m.Mod.Format()
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, other := range r.Modules {
		if other == m {
			continue
		}
		if err := mod.AddReplace(other.Path(), "", r.path(other.Dir), ""); err != nil {
			return nil, err
		}
	}
	mod.Cleanup()
	content, err := mod.Format()
	if err != nil {
		return nil, err
	}
	sums, err := os.ReadFile(r.path(path.Join(m.Dir, "go.sum")))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return sums, errors.Join(os.WriteFile(name, content, 0o644), os.WriteFile(strings.TrimSuffix(name, ".mod")+".sum", sums, 0o644))
}
