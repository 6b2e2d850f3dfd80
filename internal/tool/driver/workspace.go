package driver

import (
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/front/lower"
	"github.com/kindsmith/kindsmith/internal/versions/evolve"
)

// Workspace makes repeated runs fast: it keeps the packages that have not changed since the
// previous run. The results are those of independent runs.
//
// Each run compares the files that the previous run read, so callers need not
// report changes. It keeps the packages of one ModelConfig, and is
// not safe for concurrent use. The zero Workspace is ready.
type Workspace struct {
	// Once is set if there is one run, so that syntax and types are dropped when the model has what it needs
	// of them.
	Once bool

	loader  load.Loader
	lowerer lower.Lowerer
	// emitters and formatter cache results.
	emitters  []*emit.Emitter
	formatter gofile.Formatter
	// others are the workspaces of further modules.
	others []*Workspace
}

// other returns the workspace of a further module.
func (w *Workspace) other(i int) *Workspace {
	for len(w.others) <= i {
		w.others = append(w.others, &Workspace{Once: w.Once})
	}
	return w.others[i]
}

// Model loads packages and returns their model, including older versions. Mistakes go to the bag.
// An error is a failure of the environment, such as a missing go.mod.
func (w *Workspace) Model(cfg ModelConfig, bag *diag.Bag) (*model.Model, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	m, err := w.Written(cfg, bag)
	if err != nil {
		return nil, err
	}
	found := &diag.Bag{}
	out := evolve.Project(m, Tags(), cfg.Files, found)
	bag.Append(found.Without(guesses(bag, out)))
	return out, nil
}

// Written loads packages and returns their model as they are written, without computed versions.
func (w *Workspace) Written(cfg ModelConfig, bag *diag.Bag) (*model.Model, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	res, err := w.loader.Load(load.Config{
		Dir: cfg.Dir, Base: cfg.Base, Patterns: cfg.Patterns, Nested: cfg.Nested, Others: cfg.others != nil, ReadOnly: cfg.ReadOnly, Complete: cfg.Complete, BuildTags: cfg.BuildTags, Descriptions: cfg.Descriptions, Once: w.Once, Files: cfg.Files, Kept: cfg.kept,
		VersionsDir: cfg.VersionsDir, OutputTag: Tags().WithRole(model.RoleOutput), VersionTag: Tags().WithRole(model.RoleVersion),
	}, bag)
	if err != nil {
		return nil, err
	}
	if cfg.others != nil {
		*cfg.others = res.Others
	}
	m := w.lowerer.Lower(res, Tags(), bag)
	if w.Once {
		w.loader, w.lowerer = load.Loader{}, lower.Lowerer{}
	}
	return m, nil
}

// complete sets the defaults of the configuration.
func (cfg *ModelConfig) complete() (err error) {
	if cfg.Files == nil {
		cfg.Files = source.NewFS(nil)
	}
	if cfg.kept == nil {
		cfg.kept = keptFiles(Emitters())
	}
	cfg.Dir, err = filepath.Abs(cfg.Dir)
	return err
}
