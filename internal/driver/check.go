package driver

import (
	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Lints returns the API conventions that kindsmith knows.
func Lints() []*lint.Definition { return lintDefinitions() }

// checkModel reports what the tags and the conventions have to say about a
// model: those that hold always, or all of them. It returns the model without
// tags that could not be checked.
func checkModel(m *model.Model, tags *tag.Set, files *source.FS, all bool, bag *diag.Bag) *model.Model {
	m = check.Check(m, tags, bag)
	for _, l := range Lints() {
		if all || l.Always {
			l.Run(&lint.Pass{Model: m, Tags: tags, Files: files, Diags: bag})
		}
	}
	return m
}

// Check reports what `generate` would report about the tags of a model.
func Check(m *model.Model, bag *diag.Bag) { checkModel(m, Tags(), nil, false, bag) }

// Lint reports everything about packages that can be known without writing
// files, API conventions included.
func Lint(cfg ModelConfig, bag *diag.Bag) error { return new(Workspace).Lint(cfg, bag) }

// Lint is Lint of the package, for a run that follows others.
func (w *Workspace) Lint(cfg ModelConfig, bag *diag.Bag) error {
	if err := cfg.complete(); err != nil {
		return err
	}
	m, err := w.Model(cfg, bag)
	if err != nil {
		return err
	}
	tags := Tags()
	m = checkModel(m, tags, cfg.Files, true, bag)
	for _, e := range Emitters() {
		e.RunCheck(emit.Context{Model: m, Tags: tags, Rules: tag.Programs(m, tags), Files: cfg.Files, Diags: bag}, nil)
	}
	return nil
}
