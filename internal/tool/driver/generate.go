package driver

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/definitions"
	"github.com/kindsmith/kindsmith/internal/emit/openapi"
	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/tool/requires"
)

// Config configures a run of Generate.
type Config struct {
	ModelConfig
	// Only names the emitters to run. By default all emitters run, but optional ones only for
	// packages that already have their files; with Generators none.
	Only []string
	// Generators are generators of controller-gen to run too.
	Generators []Generator
	// With names optional emitters to run for all packages.
	With []string
	// Skip names emitters that do not run.
	Skip []string
	// OutputRoot is the folder for Go files, below which they are in folders by import path; ""
	// writes them beside their sources.
	OutputRoot string
	// GoDir is one folder for all Go files; "" is OutputRoot's meaning.
	GoDir string
	// Aliases are the import paths that Go files use for dependencies.
	Aliases gofile.Aliases
	// CRDDir is the folder for CustomResourceDefinitions.
	CRDDir string
	// SlimCRDDir is the folder for slim CustomResourceDefinitions; "" writes none.
	SlimCRDDir string
	// PolicyDir is the folder for MutatingAdmissionPolicies; "" writes none.
	PolicyDir string
	// PolicyActions are what policies with the rules of kinds do; without any, definitions have the rules.
	PolicyActions []string
	// Settings are the places of settings in kindsmith.yaml.
	Settings emit.Places `json:"-"`
	// OpenAPIDir is the folder for a package with all OpenAPI definitions; "" leaves them in their packages.
	OpenAPIDir string
	// WebhookDir is the folder for the configurations of admission webhooks; "" writes none.
	WebhookDir string
	// Certificates are where the certificates of webhooks can be from; WebhookDir gets kustomizations if there are some.
	Certificates []string
	// Manager are files and folders with the manifests of the manager that serves the webhooks.
	Manager []string
	// ChartDir is the folder for a Helm chart, OLMDir that for the Operator Lifecycle Manager; "" writes none.
	ChartDir, OLMDir string
	// Replace is set to write over files of other generators; Explain, if the run writes nothing and
	// only compares files.
	Replace, Explain bool
	// Header is at the top of every generated Go file, CRDHeader at that of every manifest.
	Header, CRDHeader Heading
	// CRDs are settings of CustomResourceDefinitions.
	CRDs emit.CRDs
	// Sinks say what happens to the files of emitters, by name; that of "" is for emitters
	// without one.
	Sinks map[string]Sink
	// Projection selects the conditional rules of published schemas.
	Projection rule.Projection
	// OnlyPublished leaves out what controller-gen does not publish from packages that do not declare versions,
	// which only kindsmith has: rules and defaults of tags that controller-gen does not read.
	OnlyPublished bool
	// Lowered are the reasons why errors of some codes are warnings, by code.
	Lowered map[string]string
	// Progress is called at the beginning of each stage. It may be nil.
	Progress func(stage string) `json:"-"`

	// silent is set if the run writes nothing and does not warn of breaking changes.
	silent bool
	// stopped returns why the run is to end before its next emitter; nil if it is not. It may be nil.
	stopped func() error
}

// Output is the result of a run.
type Output struct {
	Files []*File
	// Printed are the files that are to be printed.
	Printed []*File
	// Needs are the modules that generated code imports.
	Needs []requires.Needs
	// model is what the run read.
	model *model.Model
	// Known is set if the record, the configuration and Environment have all inputs of the run.
	Known bool
	// Blocked are the names of the emitters and generators whose files are missing because of errors about only these.
	Blocked []string
	// halted is set if errors block all files.
	halted bool
}

// Model is what the run read; nil if no emitter ran. Packages of further modules are not in it.
func (o *Output) Model() *model.Model { return o.model }

// Changes returns the new contents of changed files by path, nil for files to remove.
func (o *Output) Changes() map[string][]byte {
	changes := map[string][]byte{}
	for _, f := range o.Files {
		if f.Changed() {
			changes[f.Path] = f.Content
		}
	}
	return changes
}

// File is a file that a run writes.
type File struct {
	// Path is the absolute path, Name the path for display.
	Path, Name string
	// Content is the new content; nil if the file is to be removed.
	Content []byte
	// Previous is the existing content; nil if there is none.
	Previous []byte
	// Note tells users what they may not expect in the file; "" for nothing.
	Note string

	heading Heading
	sink    Sink
	// manifest is set on a CustomResourceDefinition.
	manifest bool
	// patched is set if a generator changes the file, which a person may have written.
	patched bool
	// by is the emitter or generator of the file, of its package; pkg is nil for generators.
	by  string
	pkg *model.Package
	// cause is that of emit.File.
	cause func(path []string, has bool) emit.Cause
}

// Changed reports whether writing the file would change anything.
func (f *File) Changed() bool {
	return (f.Content == nil) != (f.Previous == nil) || !bytes.Equal(f.Content, f.Previous)
}

// keepLineEndings gives the file the line endings that it had. A file that differs in
// nothing else stays as it is.
func (f *File) keepLineEndings() {
	if f.Previous != nil && bytes.Equal(source.LF(f.Previous), f.Content) {
		f.Content = f.Previous
	} else {
		f.Content = source.EndingsOf(f.Previous, f.Content)
	}
}

// Generate returns the files of a run. Mistakes go to the bag; if it has errors, there are no files, or only those of parts
// that no error is about.
// An error is a failure of the environment or a bug.
func Generate(cfg Config, bag *diag.Bag) (*Output, error) {
	return (&Workspace{Once: true}).Generate(cfg, bag)
}

// GoFiles returns the Go files that a run would write beside their sources, by path, so that the packages
// build; nil for those that it would remove. It writes nothing.
func GoFiles(cfg Config, bag *diag.Bag) (map[string][]byte, error) {
	cfg.Only, cfg.With, cfg.Skip, cfg.Generators, cfg.Sinks = nil, nil, slices.Clone(cfg.Skip), nil, nil
	cfg.OutputRoot, cfg.GoDir, cfg.silent = "", "", true
	for _, e := range Emitters() {
		if e.Folder.IsOfManifests() {
			cfg.Skip = append(cfg.Skip, e.Name)
		}
	}
	out, err := Generate(cfg, bag)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, f := range out.Files {
		if filepath.Ext(f.Path) == ".go" && !strings.HasSuffix(f.Path, "_test.go") {
			files[f.Path] = f.Content
		}
	}
	return files, nil
}

// Generate is like the function Generate, but reuses previous runs.
func (w *Workspace) Generate(cfg Config, bag *diag.Bag) (*Output, error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	var others []load.Other
	cfg.others = &others
	out, err := w.generate(cfg, bag)
	if err != nil {
		return nil, err
	}
	for i, o := range others {
		more, err := w.other(i).generate(cfg.in(o), bag)
		if err != nil {
			return nil, err
		}
		out = &Output{
			Files: slices.Concat(out.Files, more.Files), Printed: slices.Concat(out.Printed, more.Printed),
			Needs: slices.Concat(out.Needs, more.Needs), Known: out.Known && more.Known, model: out.model,
			Blocked: slices.Concat(out.Blocked, more.Blocked), halted: out.halted || more.halted,
		}
	}
	if out.halted {
		return &Output{}, nil
	}
	slices.Sort(out.Blocked)
	out.Blocked = slices.Compact(out.Blocked)
	return out, nil
}

// in returns the configuration of a run in another module. Generators of controller-gen load such
// modules by themselves.
func (cfg *Config) in(o load.Other) Config {
	c := *cfg
	c.Base, c.Dir, c.Patterns, c.Nested, c.Generators, c.others = cmp.Or(cfg.Base, cfg.Dir), o.Dir, o.Patterns, false, nil, nil
	for _, dir := range []*string{&c.OutputRoot, &c.GoDir, &c.CRDDir, &c.SlimCRDDir, &c.PolicyDir, &c.WebhookDir, &c.ChartDir, &c.OLMDir} {
		if *dir != "" {
			*dir = cfg.below(*dir)
		}
	}
	return c
}

// generate runs in one module, or one workspace of the go command.
func (w *Workspace) generate(cfg Config, all *diag.Bag) (*Output, error) {
	bag := &diag.Bag{}
	scope := &diag.Scope{Requested: diag.Everything}
	base := emit.Context{Model: &model.Model{}, Diags: bag}
	defer func() { all.Append(scope.Of(bag.Without(guesses(bag, base.Model)))) }()
	if w.emitters == nil {
		w.emitters = Emitters()
	}
	selected, err := cfg.selected(w.emitters)
	if err != nil {
		return nil, err
	}
	if len(cfg.Only)+len(cfg.With) == 0 && len(cfg.Generators) > 0 {
		selected = nil
	}
	selected = slices.DeleteFunc(selected, cfg.omits)
	w.formatter.Begin()
	if cfg.OpenAPIDir != "" {
		cfg.Complete = openapi.Machinery()
	}
	if cfg.Replace {
		cfg.kept = []string{}
	}
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	if len(selected) > 0 {
		if base, err = w.check(&cfg, bag); err != nil {
			return nil, err
		}
	}
	scope = cfg.scope(base.Model, w.emitters, selected)
	base.Options.Runs = func(emitter string) bool {
		return slices.ContainsFunc(selected, func(e *emit.Emitter) bool { return e.Name == emitter })
	}
	base.Options.Place = cfg.place
	if cfg.OpenAPIDir != "" {
		base.Options.OpenAPI = cfg.goPackage(cfg.below(cfg.OpenAPIDir), base.Model)
	}
	base.Options.TypedWebhooks = sync.OnceValues(func() ([]byte, error) { return cfg.typedWebhooks(bag) })
	base.Options.Kept = func(p *model.Package) map[string]bool { return cfg.keptNames(p, w.emitters, selected) }
	writable := &territory{cfg: &cfg, model: base.Model, outside: map[string][]string{}}
	files, err := cfg.emit(selected, writable, &base, scope)
	if err != nil {
		return &Output{}, err
	}
	m := base.Model
	others, err := cfg.runGenerators(bag)
	if err != nil {
		return nil, err
	}
	files = append(files, others...)
	files, printed := sort(files)
	checkPlaces(files, bag)
	if err := cfg.readPrevious(files); err != nil {
		return nil, err
	}
	cfg.checkOwners(files, bag)
	blocked := scope.Blocked(bag)
	if blocked == diag.Everything {
		writable.report(bag)
		return &Output{halted: true}, nil // files are missing, so that nothing follows from those that others are
	}
	names := cfg.blocked(selected, blocked)
	isBlocked := func(f *File) bool { return slices.Contains(names, f.by) }
	files, printed = slices.DeleteFunc(files, isBlocked), slices.DeleteFunc(printed, isBlocked)
	selected = slices.DeleteFunc(selected, func(e *emit.Emitter) bool { return slices.Contains(names, e.Name) })
	stampYears(slices.Concat(files, printed), time.Now().Year())
	for _, f := range files {
		f.keepLineEndings()
	}
	selected = slices.DeleteFunc(selected, func(e *emit.Emitter) bool { return cfg.sink(e.Name) != ToFiles })
	gone, err := stale(cfg, m, selected, files, writable, bag)
	if err != nil {
		return nil, err
	}
	writable.report(bag)
	outdated, err := cfg.outdated(files)
	if err != nil {
		return nil, err
	}
	files = slices.Concat(files, gone, outdated)
	cfg.checkCompiles(files, m, bag)
	for _, list := range [][]*File{files, printed} {
		slices.SortFunc(list, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	}
	if scope.Blocked(bag) == diag.Everything {
		return &Output{halted: true}, nil
	}
	out := &Output{
		Files: files, Printed: printed, Needs: cfg.needs(files), model: m, Blocked: names,
		Known: cfg.Recorded(bag) && scope.Errors(bag)+len(printed)+len(cfg.Generators) == 0,
	}
	cfg.warn(out, bag)
	if scope.Blocked(bag) == diag.Everything {
		return &Output{halted: true}, nil
	}
	return out, nil
}

// check loads packages and checks their tags. It returns what emitters read.
func (w *Workspace) check(cfg *Config, bag *diag.Bag) (emit.Context, error) {
	cfg.stage("loading packages")
	read := &diag.Bag{}
	m, err := w.Model(cfg.ModelConfig, read)
	if err != nil {
		return emit.Context{}, err
	}
	cfg.stage("checking")
	if cfg.OnlyPublished {
		m, read = published(m, read, cfg.folderOf)
	}
	bag.Append(read)
	tags := Tags()
	m, apis := checkModel(m, tags, cfg.Files, bag)
	return emit.Context{
		Model: m, Tags: tags, Rules: cfg.Programs(m), Steps: apis, Files: cfg.Files, Formatter: &w.formatter, Diags: bag,
		Options: emit.Options{
			Header: cfg.Header.Text, Aliases: cfg.Aliases, Projection: cfg.Projection, Dependencies: cfg.Dependencies, CRDs: cfg.CRDs, Deploy: cfg.deploy(), PolicyActions: cfg.PolicyActions, Settings: cfg.Settings,
			TestMain: func(p *model.Package) *emit.TestMain { return cfg.testMain(p.Dir) },
		},
	}, nil
}

// emit runs emitters and returns their files, those in the territory or, if it is nil, all. The model becomes the
// one that files are made from, without what has mistakes. If the run has errors, emitters report what they find, and
// some files are missing.
func (cfg *Config) emit(selected []*emit.Emitter, writable *territory, context *emit.Context, scope *diag.Scope) ([]*File, error) {
	var files []*File
	base := *context
	wants := func(e *emit.Emitter) func(*emit.Context) bool {
		return func(c *emit.Context) bool { return cfg.wants(e, c.Package) }
	}
	for _, e := range selected {
		e.RunCheck(base, wants(e))
	}
	found := &diag.Bag{}
	defer func() { context.Diags.Append(found) }()
	blocked := scope.Blocked(base.Diags)
	failed := blocked == diag.Everything
	cfg.repair(&base, scope, failed)
	*context = base
	if failed {
		base.Formatter = gofile.Unformatted()
		selected = slices.DeleteFunc(slices.Clone(selected), func(e *emit.Emitter) bool { return len(e.Codes) == 0 })
	}
	base.Diags = found
	base.Options.Definition = definitionsOf(base)
	base.Options.Complete = base.Options.Definition
	if base.Options.CRDs.WithoutRules {
		complete := base
		complete.Options.CRDs.WithoutRules = false
		base.Options.Complete = definitionsOf(complete)
	}
	if cfg.PolicyDir != "" {
		base.Options.Policies = policies(base)
	}
	for _, e := range selected {
		cfg.stage("writing " + e.Name)
		if cfg.stopped != nil {
			if err := cfg.stopped(); err != nil {
				return nil, err
			}
		}
		err := runEmit(e, base, blocked&e.Part != 0, wants(e), func(c *emit.Context, f emit.File) {
			file := cfg.file(cfg.place(c.Package, f), f.Content)
			if (f.First || f.Yields) && cfg.keeps(file, f.First) {
				return
			}
			file.sink, file.heading, file.Note = cfg.sink(e.Name), cfg.Header, f.Note
			file.by, file.pkg = e.Name, c.Package
			if cfg.Explain { // it keeps the definition in memory
				file.cause = f.Cause
			}
			if f.Folder.IsOfManifests() {
				file.heading, file.manifest = cfg.CRDHeader, f.Folder == emit.InCRDs
				if !f.First {
					file.Content = file.heading.above(provenance.Manifest(f.Content, sources(c, f)))
				}
			} else if file.sink == ToFiles && writable != nil && !writable.has(c.Package, file.Path) {
				return
			}
			if len(f.Sources) > 0 && !cfg.isWhole(base.Model, file.Path, base.Diags) {
				return
			}
			checkDots(c.Package, f, base.Diags)
			files = append(files, file)
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// definitionsOf returns a function that returns the definitions of kinds. They are made when one is
// needed, and their mistakes are those that the emitter of definitions reports.
func definitionsOf(base emit.Context) func(group, kind string) ([]byte, error) {
	made := sync.OnceValues(func() (map[schema.GroupKind][]byte, error) {
		base.Diags = &diag.Bag{}
		all := map[schema.GroupKind][]byte{}
		err := definitions.Emitter().RunEmit(base, nil, func(c *emit.Context, f emit.File) {
			if f.Folder == emit.InCRDs {
				all[schema.GroupKind{Group: c.Kind.Group, Kind: c.Kind.Name}] = f.Content
			}
		})
		return all, err
	})
	return func(group, kind string) ([]byte, error) {
		all, err := made()
		return all[schema.GroupKind{Group: group, Kind: kind}], err
	}
}

// policies returns a function that returns the policies of all kinds.
func policies(base emit.Context) func() ([]emit.File, error) {
	return sync.OnceValues(func() (all []emit.File, err error) {
		base.Diags = &diag.Bag{}
		for _, e := range Emitters() {
			if e.Folder != emit.InPolicies {
				continue
			}
			err = errors.Join(err, e.RunEmit(base, nil, func(_ *emit.Context, f emit.File) { all = append(all, f) }))
		}
		return all, err
	})
}

// checkDots reports a generated declaration with the name of one that a file of the package imports with a dot.
func checkDots(p *model.Package, f emit.File, bag *diag.Bag) {
	if len(p.Dots) == 0 || f.Folder != emit.InPackage || strings.HasSuffix(f.Name, "_test.go") {
		return
	}
	for _, name := range load.Declared(f.Content) {
		if span, ok := p.Dots[name]; ok && !bag.Has(span, codeDotImport) {
			bag.Errorf(span, codeDotImport, "%s declares %s, which this package, imported with a dot, declares too; import it with a name", f.Name, name)
		}
	}
}

func (cfg *Config) stage(name string) {
	if cfg.Progress != nil {
		cfg.Progress(name)
	}
}

// checkPlaces reports files that a run would write twice.
func checkPlaces(files []*File, bag *diag.Bag) {
	seen := map[string]bool{}
	for _, f := range files {
		switch {
		case seen[f.Path] && strings.HasSuffix(f.Path, ".go"):
			bag.Errorf(source.Span{}, codeOnePlace, "two packages write %s; name one package, or write Go files beside their types", f.Name)
		case seen[f.Path]:
			bag.Errorf(source.Span{}, codeOnePlace, "two packages write %s; change the group or the plural of one", f.Name)
		}
		seen[f.Path] = true
	}
}

// readPrevious reads what the files contain now.
func (cfg *Config) readPrevious(files []*File) error {
	for _, f := range files {
		content, err := cfg.Files.ReadFile(f.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		f.Previous = content
	}
	return nil
}

// Write makes all changes, or none if one of them fails. It returns their number.
func Write(files []*File) (int, error) {
	n := 0
	changes := make([]source.Change, len(files))
	for i, f := range files {
		changes[i] = source.Change{Path: f.Path, Content: f.Content}
		if f.Changed() {
			n++
		}
	}
	return n, source.Write(changes)
}
