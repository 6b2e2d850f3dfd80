// Package load finds Go packages and type-checks as much of them as an API
// compiler needs.
//
// The packages that were asked for, and every package that their types lead to,
// are checked from source. Function bodies, variables and, outside of the roots,
// methods and functions that nothing generated calls are left out before
// checking, and so are the imports that only these needed: what remains of a
// large dependency graph is small, and packages whose generated code is missing
// or stale load all the same.
package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Config says what to load.
type Config struct {
	// Dir is the folder in which patterns and import paths are understood; ""
	// is the working directory.
	Dir string
	// Patterns are as for `go build`: ./api/..., k8s.io/api/apps/v1.
	Patterns []string
	// ReadOnly are patterns of further packages to know of, which are not to be
	// generated for.
	ReadOnly []string
	// BuildTags are further build tags.
	BuildTags []string
}

// Result is what was loaded.
type Result struct {
	// Roots are the packages that the patterns name, by import path.
	Roots []*Package
	// ReadOnly are those that Config.ReadOnly names, roots excepted.
	ReadOnly []*Package

	cfg     Config
	roots   map[string]bool
	fset    *token.FileSet
	bag     *diag.Bag
	meta    map[string]*packages.Package
	loaded  map[string]*Package
	sources map[*token.File]*source.File
	// closed is set when the go command is not to be asked for more.
	closed bool
}

// Package is one loaded package.
type Package struct {
	Path   string
	Name   string
	Dir    string
	Module string
	// GoMod is the path of the module's go.mod file, "" when there is none.
	GoMod string
	// External is set when the module is only depended on: its source is not
	// the author's to change.
	External bool
	Root     bool
	Files    []*File
	Types    *types.Package
	Info     *types.Info
	// Methods are the methods declared in the package, by receiver type, then name.
	Methods map[string]map[string]Method
	// Decls are the names declared at package level outside of generated files.
	Decls map[string]bool
	// Generated are the functions that kindsmith has generated already. Of roots
	// there are none: theirs are written again.
	Generated map[string]bool
}

// File is one parsed file.
type File struct {
	Source *source.File
	Syntax *ast.File
	// Generated is set on a zz_generated file that a generator wrote.
	Generated bool
}

// Method is a method as far as its declaration's first line tells.
type Method struct {
	Pointer bool
	// Decl is the declaration, in root packages only.
	Decl *ast.FuncDecl
}

// Load loads the packages that the patterns name. Mistakes in their source go
// to the bag; the error is for what stops everything, such as a missing go.mod.
func Load(cfg Config, bag *diag.Bag) (*Result, error) {
	r := &Result{
		cfg: cfg, fset: token.NewFileSet(), bag: bag, roots: map[string]bool{},
		meta: map[string]*packages.Package{}, loaded: map[string]*Package{}, sources: map[*token.File]*source.File{},
	}
	roots, err := r.list(cfg.Patterns...)
	if err != nil {
		return nil, err
	}
	// All roots are known before the first is loaded: that may import others.
	for _, p := range roots {
		r.roots[p.PkgPath] = r.checkRoot(p)
	}
	for _, p := range roots {
		if r.roots[p.PkgPath] {
			r.Roots = append(r.Roots, r.load(p))
		}
	}
	if len(r.Roots) == 0 {
		if err := checkModule(cfg.Dir); err != nil {
			return nil, err
		}
	}
	if len(r.Roots) == 0 && !bag.HasErrors() {
		bag.Errorf(source.Span{}, codeNoPackages, "no Go packages match %s", strings.Join(cfg.Patterns, " "))
	}
	if len(cfg.ReadOnly) > 0 {
		if err := r.loadReadOnly(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// loadReadOnly loads the packages of Config.ReadOnly. A pattern that matches
// none is reported: what depends on such a package would be lost.
func (r *Result) loadReadOnly() error {
	for _, pattern := range r.cfg.ReadOnly {
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
			if loaded := r.Package(p.PkgPath); loaded != nil && !r.roots[p.PkgPath] {
				r.ReadOnly = append(r.ReadOnly, loaded)
			}
		}
		if n == 0 {
			r.bag.Errorf(source.Span{}, codeNoPackages, "no Go packages match %s, which are to be read only", pattern)
		}
	}
	return nil
}

// list asks the go command for packages, and keeps what it says of them and of
// their dependencies.
func (r *Result) list(patterns ...string) ([]*packages.Package, error) {
	found, err := packages.Load(r.packagesConfig(), patterns...)
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages.Visit(found, nil, func(p *packages.Package) {
		if r.meta[p.PkgPath] == nil {
			r.meta[p.PkgPath] = p
		}
	})
	slices.SortFunc(found, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return found, nil
}

func (r *Result) packagesConfig() *packages.Config {
	pcfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:  r.cfg.Dir,
	}
	if len(r.cfg.BuildTags) > 0 {
		pcfg.BuildFlags = []string{"-tags=" + strings.Join(r.cfg.BuildTags, ",")}
	}
	return pcfg
}

// checkRoot reports what `go list` found wrong with a root. Errors that lie in
// its dependencies or are of missing generated code are not ours to report.
func (r *Result) checkRoot(p *packages.Package) bool {
	for _, e := range p.Errors {
		if e.Kind == packages.ParseError {
			continue // reported with its place when the file is parsed
		}
		if len(p.GoFiles) > 0 && e.Kind == packages.ListError && !strings.Contains(e.Msg, "build constraints exclude") {
			r.bag.Warnf(source.Span{}, codeGoList, "%s: %s", p.PkgPath, strings.TrimSpace(e.Msg))
			continue
		}
		if len(p.GoFiles) == 0 {
			r.bag.Errorf(source.Span{}, codeGoList, "%s: %s", p.PkgPath, strings.TrimSpace(e.Msg))
		}
	}
	return len(p.GoFiles) > 0
}

// Package returns a loaded package, loading it if need be; nil when the build
// does not have it.
func (r *Result) Package(path string) *Package {
	if p, ok := r.loaded[path]; ok {
		return p
	}
	if meta, ok := r.meta[path]; ok && len(meta.GoFiles) > 0 {
		return r.load(meta)
	}
	return nil
}

// Find is Package for a package that only a marker names, so that the roots
// need not import it.
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
	p := &Package{
		Path: meta.PkgPath, Name: meta.Name, Root: r.roots[meta.PkgPath],
		Methods: map[string]map[string]Method{}, Decls: map[string]bool{}, Generated: map[string]bool{},
	}
	if meta.Module != nil {
		p.Module, p.GoMod, p.External = meta.Module.Path, meta.Module.GoMod, !meta.Module.Main
	}
	if len(meta.GoFiles) > 0 {
		p.Dir = filepath.Dir(meta.GoFiles[0])
	}
	r.loaded[p.Path] = p

	wantComments := p.Module != "" // the standard library has no tags
	for _, name := range slices.Sorted(slices.Values(meta.GoFiles)) {
		content, err := os.ReadFile(name)
		if err != nil {
			r.bag.Errorf(source.Span{}, codeUnreadable, "%v", err)
			continue
		}
		if f := r.parse(p, name, content, wantComments); f != nil {
			p.Files = append(p.Files, f)
		}
	}
	r.check(p, meta)
	return p
}

// importer resolves the imports of one package.
type importer struct {
	r    *Result
	meta *packages.Package
}

func (i importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	meta := i.meta.Imports[path]
	if meta == nil || len(meta.GoFiles) == 0 {
		if meta != nil && len(meta.Errors) > 0 {
			return nil, errors.New(oneLine(meta.Errors[0].Msg))
		}
		return nil, fmt.Errorf("package %s is not in the build", path)
	}
	return i.r.load(meta).Types, nil
}

// oneLine returns a message of the go command, which may tell what to run on a
// line of its own, as one.
func oneLine(message string) string { return strings.Join(strings.Fields(message), " ") }

func (r *Result) check(p *Package, meta *packages.Package) {
	p.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	syntax := make([]*ast.File, len(p.Files))
	for i, f := range p.Files {
		syntax[i] = f.Syntax
		prune(f.Syntax, p.Root, meta)
	}
	cfg := types.Config{
		Importer:                 importer{r, meta},
		IgnoreFuncBodies:         true,
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if p.Root && !awaitsGenerated(syntax, err) {
				r.typeError(err)
			}
		},
	}
	p.Types, _ = cfg.Check(p.Path, r.fset, syntax, p.Info)
}

// awaitsGenerated reports whether an error is about a name in a function's
// signature that nothing declares: a hand-written conversion stands beside
// types that may not have been generated yet.
func awaitsGenerated(files []*ast.File, err error) bool {
	terr, ok := err.(types.Error) //nolint:errorlint // go/types passes it as it is
	if !ok || !strings.HasPrefix(terr.Msg, "undefined: ") {
		return false
	}
	for _, f := range files {
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= terr.Pos && terr.Pos < fn.End() {
				return true
			}
		}
	}
	return false
}

// typeError reports a mistake in a root's declarations, unless it is about code
// that may not have been generated yet.
func (r *Result) typeError(err error) {
	var terr types.Error
	if !errors.As(err, &terr) {
		r.bag.Errorf(source.Span{}, codeTypeCheck, "%v", err)
		return
	}
	f := r.fset.File(terr.Pos)
	if f == nil || r.sources[f] == nil {
		return
	}
	src := r.sources[f]
	start := f.Offset(terr.Pos)
	if isOutput(src.Path, src.Content) {
		return
	}
	end := start
	for end < len(src.Content) && !strings.ContainsRune(" \t\r\n(){}[],;`\"", rune(src.Content[end])) {
		end++
	}
	r.bag.Errorf(src.Span(start, end), codeTypeCheck, "%s", terr.Msg)
}
