package driver

import (
	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/loss"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Lints returns the API conventions that kindsmith knows.
func Lints() []*lint.Definition { return lintDefinitions() }

// checkModel runs the checks of tags, and of conventions that generate checks. It returns the model
// without unchecked tags, and its plans.
func checkModel(m *model.Model, tags *tag.Set, files *source.FS, bag *diag.Bag) (*model.Model, plan.Plans) {
	m = check.Check(m, tags, bag)
	plans := plan.Build(m)
	loss.Report(m, plans, bag)
	for _, l := range Lints() {
		if l.Always {
			l.Run(&lint.Pass{Model: m, Tags: tags, Files: files, Diags: bag})
		}
	}
	return m, plans
}

// Check reports the diagnostics of `generate` about the tags of a model.
func Check(m *model.Model, bag *diag.Bag) { checkModel(m, Tags(), nil, bag) }

// Lint reports all diagnostics about packages without writing files: those of Generate, except those
// about the files that it would overwrite, and those of API conventions.
func Lint(cfg Config, bag *diag.Bag) error { return new(Workspace).Lint(cfg, bag) }

// Lint is like the function Lint, but reuses previous runs.
func (w *Workspace) Lint(cfg Config, bag *diag.Bag) error {
	if w.emitters == nil {
		w.emitters = Emitters()
	}
	w.formatter.Begin()
	if err := cfg.complete(); err != nil {
		return err
	}
	c, err := w.check(&cfg, bag)
	if err != nil {
		return err
	}
	files, err := cfg.emit(w.emitters, nil, c)
	if err != nil {
		return err
	}
	checkPlaces(files, bag)
	for _, l := range Lints() {
		if !l.Always {
			l.Run(&lint.Pass{Model: c.Model, Tags: c.Tags, Files: cfg.Files, Diags: bag})
		}
	}
	return nil
}
