package driver

import (
	"context"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
	"github.com/kindsmith/kindsmith/internal/tool/baseline"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

// Lints returns the API conventions that kindsmith knows.
func Lints() []*lint.Definition { return lintDefinitions() }

// checkModel runs the checks of tags, and of conventions that generate checks. It returns the model
// without unchecked tags, and the steps between its versions.
func checkModel(m *model.Model, tags *tag.Set, files *source.FS, bag *diag.Bag) (*model.Model, []*steps.API) {
	m = check.Check(m, tags, bag)
	apis := steps.Build(m)
	steps.Report(m, apis, bag)
	for _, l := range Lints() {
		if l.Always {
			l.Run(&lint.Pass{Model: m, Tags: tags, Files: files, Diags: bag})
		}
	}
	return m, apis
}

// Check reports the diagnostics of `generate` about the tags of a model.
func Check(m *model.Model, bag *diag.Bag) {
	found := &diag.Bag{}
	checkModel(m, Tags(), nil, found)
	bag.Append(found.Without(guesses(bag, m)))
}

// LintConfig configures a run of Lint.
type LintConfig struct {
	Config
	// Enable and Disable are names of conventions to check and not to check.
	Enable, Disable []string
	// Baseline has the diagnostics that are not fixed; nil has none.
	Baseline *baseline.Baseline
}

// conventions returns the conventions that only lint checks, for a model.
func (cfg *LintConfig) conventions(m *model.Model) ([]*lint.Definition, error) {
	upstream := slices.ContainsFunc(m.Packages, func(p *model.Package) bool {
		_, ok := emit.MarkerValue(p.Markers, foreign.ValidationGen)
		return p.Root && ok
	})
	var list []*lint.Definition
	var names []string
	for _, l := range Lints() {
		if l.Always {
			continue
		}
		names = append(names, l.Name)
		if slices.Contains(cfg.Enable, l.Name) || (upstream || !l.Upstream) && !slices.Contains(cfg.Disable, l.Name) {
			list = append(list, l)
		}
	}
	for _, name := range slices.Concat(cfg.Enable, cfg.Disable) {
		if !slices.Contains(names, name) {
			return nil, spell.Unknown("convention", name, names)
		}
	}
	return list, nil
}

// Lint reports all diagnostics about packages without writing files: those of Generate, except those
// about the files that it would overwrite, and those of API conventions. It returns the folders of
// the packages.
func Lint(cfg LintConfig, bag *diag.Bag) ([]string, error) {
	return (&Workspace{Once: true}).Lint(cfg, bag)
}

// Lint is like the function Lint, but reuses previous runs.
func (w *Workspace) Lint(cfg LintConfig, bag *diag.Bag) ([]string, error) {
	a, err := w.Analyze(context.Background(), cfg, Complete, bag)
	if err != nil {
		return nil, err
	}
	return a.Folders, nil
}

// Depth says which diagnostics an analysis reports.
type Depth int

const (
	// Complete are all diagnostics of Lint.
	Complete Depth = iota
	// Quick leaves out those of emitters, which take most of the time.
	Quick
)

// Analysis is what an editor needs of a run besides its diagnostics.
type Analysis struct {
	// Models are those of the run's modules, without tags that have mistakes.
	Models []*model.Model
	// Folders are those of the named packages.
	Folders []string
}

// Analyze reports what Lint reports, and returns the models. When the context ends, it stops at the next
// emitter and returns the context's error.
func (w *Workspace) Analyze(ctx context.Context, cfg LintConfig, depth Depth, bag *diag.Bag) (*Analysis, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	var others []load.Other
	cfg.others, cfg.stopped = &others, ctx.Err
	all := &Analysis{}
	if err := w.analyze(cfg, depth, all, bag); err != nil {
		return nil, err
	}
	for i, o := range others {
		other := cfg
		other.Config = cfg.in(o)
		if err := w.other(i).analyze(other, depth, all, bag); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// analyze checks one module, or one workspace of the go command.
func (w *Workspace) analyze(cfg LintConfig, depth Depth, into *Analysis, all *diag.Bag) error {
	if w.emitters == nil {
		w.emitters = Emitters()
	}
	if err := cfg.complete(); err != nil {
		return err
	}
	selected, err := cfg.selected(w.emitters)
	if err != nil {
		return err
	}
	selected = slices.DeleteFunc(selected, cfg.omits)
	bag := &diag.Bag{}
	c, err := w.check(&cfg.Config, bag)
	if err != nil {
		return err
	}
	conventions, err := cfg.conventions(c.Model)
	if err != nil {
		return err
	}
	checked, scope := c.Model, cfg.scope(c.Model, w.emitters, selected)
	if depth == Complete {
		c.Formatter = gofile.Unformatted()
		files, err := cfg.emit(selected, nil, &c, scope)
		if err != nil {
			return err
		}
		checkPlaces(files, bag)
	}
	for _, l := range conventions {
		l.Run(&lint.Pass{Model: checked, Tags: c.Tags, Files: cfg.Files, Diags: bag})
	}
	all.Append(scope.Of(bag.Without(guesses(bag, checked))))
	into.Models = append(into.Models, checked)
	for _, p := range c.Model.Packages {
		if p.Named() {
			into.Folders = append(into.Folders, p.Dir)
		}
	}
	return nil
}

// GoCodes returns the codes of mistakes in Go, which compilers and other tools of editors report too.
func GoCodes() []diag.Code { return load.OfGo() }

// SyntaxCode returns the code of syntax errors. No other mistakes are reported of a package with one.
func SyntaxCode() diag.Code { return load.OfSyntax() }
