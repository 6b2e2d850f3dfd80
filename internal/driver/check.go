package driver

import (
	"github.com/kindsmith/kindsmith/internal/check"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/loss"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Lints returns the API conventions that kindsmith knows.
func Lints() []*lint.Definition { return lintDefinitions() }

// checkModel runs the checks of tags and of conventions, either all of them or only those that
// generate runs. It returns the model without unchecked tags, and its plans.
func checkModel(m *model.Model, tags *tag.Set, files *source.FS, all bool, bag *diag.Bag) (*model.Model, plan.Plans) {
	m = check.Check(m, tags, bag)
	plans := plan.Build(m)
	loss.Report(m, plans, bag)
	for _, l := range Lints() {
		if all || l.Always {
			l.Run(&lint.Pass{Model: m, Tags: tags, Files: files, Diags: bag})
		}
	}
	return m, plans
}

// Check reports the diagnostics of `generate` about the tags of a model.
func Check(m *model.Model, bag *diag.Bag) { checkModel(m, Tags(), nil, false, bag) }

// Lint reports all diagnostics about packages, including those of API conventions, without writing
// files.
func Lint(cfg ModelConfig, bag *diag.Bag) error { return new(Workspace).Lint(cfg, bag) }

// Lint is like the function Lint, but reuses previous runs.
func (w *Workspace) Lint(cfg ModelConfig, bag *diag.Bag) error {
	if err := cfg.complete(); err != nil {
		return err
	}
	m, err := w.Model(cfg, bag)
	if err != nil {
		return err
	}
	tags := Tags()
	m, plans := checkModel(m, tags, cfg.Files, true, bag)
	for _, e := range Emitters() {
		e.RunCheck(emit.Context{Model: m, Tags: tags, Rules: tag.Programs(m, tags), Plans: plans, Files: cfg.Files, Diags: bag}, nil)
	}
	return nil
}
