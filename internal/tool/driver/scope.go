package driver

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// scope returns the scope of a run that writes the files of emitters for a model.
func (cfg *Config) scope(m *model.Model, all, selected []*emit.Emitter) *diag.Scope {
	s := &diag.Scope{Lowered: cfg.Lowered}
	if len(cfg.Generators) > 0 {
		s.Requested |= diag.Manifests
	}
	for _, e := range selected {
		if !e.Optional || slices.ContainsFunc(m.Packages, func(p *model.Package) bool { return p.Named() && cfg.wants(e, p) }) {
			s.Requested |= e.Part
		}
	}
	if cfg.OnlyPublished {
		s.Accepts = cfg.accepts(m)
	}
	s.Used = s.Requested
	for _, e := range all {
		if s.Used&e.Part == 0 && cfg.uses(e, m) {
			s.Used |= e.Part
		}
	}
	return s
}

// blocked returns the names of the emitters and generators whose parts a run does not write.
func (cfg *Config) blocked(selected []*emit.Emitter, parts diag.Parts) []string {
	var names []string
	for _, e := range selected {
		if e.Part&parts != 0 {
			names = append(names, e.Name)
		}
	}
	if parts&diag.Manifests != 0 {
		for _, g := range cfg.Generators {
			names = append(names, g.Name)
		}
	}
	return names
}

// uses reports whether the project has files of an emitter, which other runs write.
func (cfg *Config) uses(e *emit.Emitter, m *model.Model) bool {
	dir := ""
	switch e.Folder {
	case emit.InCRDs:
		dir = cfg.CRDDir
	case emit.InPolicies:
		dir = cfg.PolicyDir
	default:
		return slices.ContainsFunc(m.Packages, func(p *model.Package) bool { return p.Named() && cfg.has(e, p) })
	}
	if dir == "" {
		return false
	}
	names, _ := cfg.Files.List(source.Manifests, cfg.below(dir))
	return len(names) > 0
}

// repair changes the model that files are made from: it leaves out tags of types that do not compile, tags whose
// mistakes are only warnings in this project, computed versions that a mistake leaves unknown and, in a run with errors, everything that has been reported, so
// that emitters report only what is wrong besides.
func (cfg *Config) repair(c *emit.Context, scope *diag.Scope, failed bool) {
	leaves := scope.Lowers
	if failed {
		leaves = func(diag.Code) bool { return true }
	}
	m := c.Model
	if u := unknownIn(m, c.Diags); u != nil {
		m = check.Known(m, u.types, u.part)
	}
	if slices.ContainsFunc(c.Diags.All(), func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && leaves(d.Code) }) {
		m = check.Sound(m, c.Tags, leaves)
	}
	m = cfg.withoutComputed(m, c.Diags, failed)
	if m != c.Model {
		c.Model, c.Rules, c.Steps = m, cfg.Programs(m), steps.Build(m)
	}
}

// runEmit runs an emitter. If errors block its part, the emitter works on a model that it is not made for: its own failures
// are not reported, since the mistakes that cause them are.
func runEmit(e *emit.Emitter, base emit.Context, blocked bool, wants func(*emit.Context) bool, write func(*emit.Context, emit.File)) (err error) {
	if !blocked {
		return e.RunEmit(base, wants, write)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
		if err != nil && onFailure != nil {
			onFailure(e, err)
		}
		err = nil
	}()
	return e.RunEmit(base, wants, write)
}

// onFailure gets the failures of emitters in failed runs; it is for tests.
var onFailure func(*emit.Emitter, error)

// withoutComputed returns a model whose computed versions are not written, because a mistake in a marker leaves their
// types unknown. In a run with errors, these are those that have no steps: what others show is reported. It returns the model
// itself if there is no such mistake.
func (cfg *Config) withoutComputed(m *model.Model, bag *diag.Bag, failed bool) *model.Model {
	codes := evolve.Codes()
	wrong := slices.ContainsFunc(bag.All(), func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && slices.Contains(codes, d.Code) })
	if !wrong {
		return m
	}
	out := &model.Model{Packages: slices.Clone(m.Packages)}
	for i, p := range out.Packages {
		if hub := m.Package(p.Hub); p.Generated && (!failed || hub == nil || hub.Mistaken) {
			left := *p
			left.Root = false
			out.Packages[i] = &left
		}
	}
	out.Freeze()
	return out
}

// folderOf returns the folder of a file.
func (cfg *Config) folderOf(f *source.File) string {
	path := filepath.FromSlash(f.Path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(cmp.Or(cfg.Base, cfg.Dir), path)
	}
	return filepath.Dir(path)
}

// has reports whether a package has a file that the emitter wrote.
func (cfg *Config) has(e *emit.Emitter, p *model.Package) bool {
	return slices.ContainsFunc(e.Files, func(name string) bool {
		content, err := cfg.Files.ReadFile(cfg.place(p, emit.File{Name: name, Folder: e.Folder}))
		return err == nil && provenance.Of(name, content).Ours
	})
}
