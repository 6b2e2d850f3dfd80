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
)

// Tidy runs go mod tidy on a module, with the other modules of the repository as they are on disk, after raising what the
// main module requires in newer versions. The
// go command does not look at go.work for this, and would download versions that do not exist yet.
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
	m.Mod.SetRequireSeparateIndirect(tidied.Require)
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
		if module, _, _ := strings.Cut(line, " "); r.byPath[module] != nil {
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
