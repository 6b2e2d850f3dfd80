// Package load finds Go packages and type-checks the parts that an API compiler needs.
//
// [Load] takes a [Config] and returns a [Result]; a [Loader] does so again and again. Mistakes in Go are diagnostics, and an
// error means that the go command did not run.
//
// It checks root packages, and all packages that their types use, from source. Before checking, it
// prunes function bodies, variables and, outside the roots, methods and functions that generated
// code does not call, and then unused imports. This keeps large dependency graphs small, and
// packages load even if their generated code is missing or stale.
//
// A Loader keeps packages between loads. It reads only changed packages and their importers again.
//
// A Loader of a single run (Config.Once) keeps less: of other packages only the types the roots reach by
// name, and no syntax once there is a model.
//
// It also loads the companions of roots: packages in the same folder which may be versions of the same API.
// Package evolve makes versions of a root's kinds roots too, and emitters write files only for packages a
// pattern names (model.Package.Named). The output for a package therefore does not depend on which others a
// run names.
//
// Files kindsmith wrote are parsed so that other packages find their types, but sorted behind hand-written
// files, and their mistakes are ignored. Packages with syntax errors or in import cycles are excluded from
// the roots. Of a package with type errors, only some types are unknown (model.KindInvalid).
package load

import (
	"cmp"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Config configures a load.
type Config struct {
	// Dir is the folder in which patterns and import paths are resolved; "" is the working
	// directory.
	Dir string
	// Base is the folder that the names of files are relative to; "" is Dir.
	Base string
	// Patterns are those of `go build`: ./api/..., k8s.io/api/apps/v1. A file is its package.
	Patterns []string
	// Nested is set if patterns with "..." match packages of modules below, too.
	Nested bool
	// Others is set if the caller loads Result.Others too. Else they are reported.
	Others bool
	// ReadOnly are patterns of additional packages that are not generated for.
	ReadOnly []string
	// Complete are import paths of packages of which a model has all types, if the build has them.
	Complete []string
	// BuildTags are additional build tags.
	BuildTags []string
	// Descriptions reads comments like controller-gen, for its descriptions: also those of the standard library.
	Descriptions bool
	// Once is set if nothing is loaded later: of packages that are not roots, Load then keeps only the types
	// that roots reach.
	Once bool
	// Kept are the names of files that are not written again if another generator
	// wrote them: what these declare counts like hand-written code.
	Kept []string
	// VersionsDir is the pattern of the folders of older versions, "" for the default: see
	// model.ParseVersionsDir. OutputTag is the name of the tag that replaces it,
	// VersionTag that of the tag that declares versions.
	VersionsDir, OutputTag, VersionTag string
	// Files is the file system; nil is the disk.
	Files *source.FS
}

// Result is the result of a load.
type Result struct {
	// Roots are the packages that the patterns match, by import path. It omits those that are broken:
	// their errors are in the bag, and other diagnostics would be consequences.
	Roots []*Package
	// ReadOnly are the packages that Config.ReadOnly matches, except roots.
	ReadOnly []*Package
	// Companions are packages beside roots that may be versions of the same API. They are loaded
	// like roots.
	Companions []*Package
	// Others are modules outside of a workspace with packages that the patterns match too. The go
	// command loads one module at a time.
	Others []Other

	cfg   Config
	bag   *diag.Bag
	files *source.FS
	// listing is files with a separate record of the go command's inputs.
	listing *source.FS
	roots   map[string]bool
	// beside are the companions.
	beside map[string]bool
	// lists has the go command's answers by patterns, meta all packages of them by import path.
	lists   map[string][]*packages.Package
	meta    map[string]*packages.Package
	fset    *token.FileSet
	sources map[*token.File]*source.File
	loaded  map[string]*Package
	// prepared are the packages that are parsed and not yet loaded.
	prepared map[string]*Package
	// old are the packages of an earlier load, unchanged whether they are known to be unchanged.
	old       map[string]*Package
	unchanged map[string]bool
	// cyclic are the packages in import cycles.
	cyclic     map[string]bool
	companions []*packages.Package
	// required has the requirements of go.mod files, by their paths.
	required map[string][]string
	// fresh are the packages of which no file is kept.
	fresh map[string]bool
	// closed is set if the go command must not be called again.
	closed bool
}

// Other is a module that another load must load.
type Other struct {
	Dir string
	// Patterns match packages of the module.
	Patterns []string
}

// Package is one loaded package.
type Package struct {
	Path   string
	Name   string
	Dir    string
	Module string
	// GoMod is the path of the module's go.mod file, "" if there is none.
	GoMod string
	// External is set if the module is a dependency, whose source users cannot change.
	External bool
	// Root is set on roots and companions.
	Root  bool
	Files []*File
	Types *types.Package
	Info  *types.Info
	facts
	// Broken is set if files of the package cannot be parsed, or it is in an import cycle: what it declares is
	// unknown.
	Broken bool

	// unsure is set if the package imports a broken one, directly or not: its type errors may be consequences.
	unsure bool

	// found are the mistakes in the package itself.
	found diag.Bag
	// listed is the go command's answer about the package, states are those of its files, and deps
	// the packages that its types were checked with.
	listed string
	states map[string]source.State
	deps   []string
	// parsed is set if all files were parsed.
	parsed bool
	// pruned are the names of pruned variables and functions.
	pruned map[string]bool
	// parts are the files by path, if later loads may need them.
	parts map[string]*part
	// mixed is set if files are from several loads, so that their positions have another order than their names. recursive is
	// set if types contain themselves, which is reported at the first position.
	mixed, recursive bool
}

// File is one parsed file.
type File struct {
	Source *source.File
	Syntax *ast.File
	// Generated is set on a zz_generated file that a generator wrote.
	Generated bool

	// pruned are the names of pruned variables and functions.
	pruned []string
}

// Method is a method, read from the first line of its declaration.
type Method struct {
	Pointer bool
	// Result is the type that a method without parameters returns: see gofile.Result.
	Result string
	// Param is the type of the parameter of a method with one and without results: see gofile.Param.
	Param string
}

// Load loads the packages that the patterns match. Mistakes in their source go to the bag. The
// error is for failures of the load, such as a missing go.mod.
func Load(cfg Config, bag *diag.Bag) (*Result, error) { return new(Loader).Load(cfg, bag) }

// run loads the packages of the configuration.
func (r *Result) run() error {
	patterns := r.packages(r.cfg.Patterns)
	if len(patterns) == 0 && (r.bag.HasErrors() || len(r.Others) > 0) {
		return nil
	}
	roots, err := r.list(patterns...)
	if err != nil && r.reportModuleFiles() {
		return nil
	}
	if err != nil {
		return cmp.Or(checkModule(r.cfg.Dir), err) // without a go.mod, the go command says the same in many ways
	}
	// "all" matches the standard library too, which has no API types.
	if own := slices.DeleteFunc(slices.Clone(roots), func(p *packages.Package) bool { return p.Module == nil && len(p.GoFiles) > 0 }); len(own) > 0 {
		roots = own
	}
	if err = r.addCompanions(roots); err != nil {
		return err
	}
	// Collect all roots before loading the first, which may import others.
	for _, p := range roots {
		r.roots[p.PkgPath] = len(p.GoFiles) > 0
	}
	r.reportCycles(roots)
	if r.cfg.Once {
		r.reach(slices.Concat(roots, r.companions))
	}
	for _, meta := range roots {
		if !r.roots[meta.PkgPath] {
			r.reportEmpty(meta)
			continue
		}
		if p := r.load(meta); !p.Broken {
			r.reportListed(meta)
			r.reportConstraints(p, meta)
			r.Roots = append(r.Roots, p)
		}
	}
	for _, meta := range r.companions {
		if p := r.load(meta); !p.Broken {
			r.Companions = append(r.Companions, p)
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(r.roots)), true) {
		if err := checkModule(r.cfg.Dir); err != nil {
			return err
		}
	}
	if len(r.Roots) == 0 && !r.bag.HasErrors() {
		all := strings.Join(r.cfg.Patterns, " ")
		message := "no Go packages match " + all
		if local := "./" + all; len(r.cfg.Patterns) == 1 && !build.IsLocalImport(all) && r.hasPackages(inDir(r.cfg.Dir, strings.TrimSuffix(local, "/..."))) {
			message += "; did you mean " + local + "?"
		} else if all == "./..." {
			message += "; to start an API, run kindsmith init"
		}
		r.bag.Errorf(source.Span{}, codeNoPackages, "%s", r.missing(all, message))
	}
	return r.loadReadOnly()
}

// loadReadOnly loads the packages of Config.ReadOnly. It reports patterns without packages.
func (r *Result) loadReadOnly() error {
	for _, pattern := range r.packages(r.cfg.ReadOnly) {
		found, err := r.list(pattern)
		if err != nil {
			return err
		}
		n := 0
		for _, p := range found {
			if len(p.GoFiles) == 0 {
				continue
			}
			n++
			if loaded := r.Package(p.PkgPath); loaded != nil && !loaded.Broken && !r.roots[p.PkgPath] {
				r.ReadOnly = append(r.ReadOnly, loaded)
			}
		}
		if n == 0 {
			r.bag.Errorf(source.Span{}, codeNoPackages, "no Go packages match the read-only pattern %s", pattern)
		}
	}
	return nil
}

// Package returns a package, and loads it if necessary; nil if the build does not have it.
func (r *Result) Package(path string) *Package {
	if p, ok := r.loaded[path]; ok {
		return p
	}
	if meta, ok := r.meta[path]; ok && len(meta.GoFiles) > 0 {
		return r.load(meta)
	}
	return nil
}

// Find is like Package, for a package that a marker names and roots need not import.
func (r *Result) Find(path string) *Package {
	if p := r.Package(path); p != nil || r.closed {
		return p
	}
	if _, err := r.list(path); err != nil {
		return nil
	}
	return r.Package(path)
}

// Span translates positions of the loaded syntax.
func (r *Result) Span(pos, end token.Pos) source.Span {
	f := r.fset.File(pos)
	if f == nil {
		return source.Span{}
	}
	src := r.sources[f]
	if src == nil {
		return source.Span{}
	}
	return src.Span(f.Offset(pos), f.Offset(end))
}

func (r *Result) load(meta *packages.Package) *Package {
	if p, ok := r.loaded[meta.PkgPath]; ok {
		return p
	}
	if r.isUnchanged(meta) {
		return r.keep(r.old[meta.PkgPath])
	}
	p := r.prepared[meta.PkgPath]
	if p == nil {
		p = r.prepare(meta)
	}
	r.loaded[p.Path] = p
	p.Broken = p.found.HasErrors() || r.cyclic[p.Path]
	r.check(p, meta)
	if p.mixed && p.recursive {
		p = r.reread(p, meta)
	}
	r.report(p)
	return p
}

// prepare parses a package.
func (r *Result) prepare(meta *packages.Package) *Package {
	p := &Package{
		Path: meta.PkgPath, Name: meta.Name, Root: r.roots[meta.PkgPath] || r.beside[meta.PkgPath],
		facts:  newFacts(),
		listed: r.describe(meta), states: map[string]source.State{}, pruned: map[string]bool{}, parts: map[string]*part{},
	}
	if meta.Module != nil {
		p.Module, p.GoMod, p.External = meta.Module.Path, meta.Module.GoMod, !meta.Module.Main
	}
	if len(meta.GoFiles) > 0 {
		p.Dir = filepath.Dir(meta.GoFiles[0])
	}
	if !r.keepSyntax(p) {
		r.readFiles(p, meta)
	}
	return p
}

// readFiles reads and parses the files of a package.
func (r *Result) readFiles(p *Package, meta *packages.Package) {
	wantComments := p.Module != "" || r.cfg.Descriptions // the standard library has no tags
	for _, name := range slices.Sorted(slices.Values(meta.GoFiles)) {
		of := r.keptPart(p, name)
		if of == nil {
			var err error
			if of, err = r.readPart(p, meta, name, wantComments); err != nil {
				p.found.Errorf(source.Span{}, codeUnreadable, "%v", err)
				continue
			}
		}
		p.include(of)
		if mayChange(meta.Module) && !r.cfg.Once {
			p.parts[name] = of
		}
	}
	// What an author declares comes first, so that stale outputs declare it again.
	slices.SortStableFunc(p.Files, func(a, b *File) int { return order(a.Generated) - order(b.Generated) })
	r.checkNames(p)
	p.parsed = !p.found.HasErrors()
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

// read reads a file of a package. A later load reads a file that may change again, to detect
// changes.
func (r *Result) read(p *Package, meta *packages.Package, name string) ([]byte, error) {
	if !mayChange(meta.Module) {
		return r.files.ReadFixed(name)
	}
	p.states[name] = r.files.Digest(name)
	return r.files.ReadFile(name)
}

// report adds the mistakes in a package to the bag of the run.
func (r *Result) report(p *Package) {
	for _, d := range p.found.All() {
		r.bag.Add(d)
	}
}

// Complete returns the packages of Config.Complete that the build has.
func (r *Result) Complete() []*Package {
	var list []*Package
	for _, path := range r.cfg.Complete {
		if p := r.Find(path); p != nil && !p.Broken {
			list = append(list, p)
		}
	}
	return list
}

// Descriptions returns Config.Descriptions.
func (r *Result) Descriptions() bool { return r.cfg.Descriptions }

// VersionsDir returns Config.VersionsDir.
func (r *Result) VersionsDir() string { return r.cfg.VersionsDir }
