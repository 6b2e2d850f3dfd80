package driver

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/front/load"
)

// checkCompiles reports Go files that do not compile: that is a mistake in kindsmith, which must not reach the project. It
// checks the folders in which a file changes, with the declarations of their hand-written files. Nothing is known of
// imported packages, so that no more has to be loaded: go/types does not report what depends on them.
func (cfg *Config) checkCompiles(files []*File, m *model.Model, bag *diag.Bag) {
	folders, changed := map[string]map[string]*File{}, map[string]bool{}
	var order []string
	for _, f := range files {
		if filepath.Ext(f.Path) != ".go" || strings.HasSuffix(f.Path, "_test.go") || f.by == "" {
			continue
		}
		dir := filepath.Dir(f.Path)
		if folders[dir] == nil {
			folders[dir] = map[string]*File{}
			order = append(order, dir)
		}
		folders[dir][f.Path] = f
		changed[dir] = changed[dir] || f.Changed()
	}
	for _, dir := range order {
		if changed[dir] {
			(&compilation{cfg: cfg, dir: dir, files: folders[dir], model: m, bag: bag}).run()
		}
	}
}

// compilation checks the files of one folder.
type compilation struct {
	cfg   *Config
	dir   string
	files map[string]*File
	model *model.Model
	bag   *diag.Bag

	fset   *token.FileSet
	syntax []*ast.File
	// name is the name of the files' package.
	name string
	info *types.Info
}

func (c *compilation) run() {
	c.fset = token.NewFileSet()
	if !c.parse() || load.Nests(c.syntax) {
		return // what hand-written files declare is unknown, or the check takes too long, as that of the Go compiler
	}
	var found []types.Error
	c.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	check := types.Config{
		Importer:    nothing{},
		FakeImportC: true,
		Error: func(err error) {
			if terr := (types.Error{}); errors.As(err, &terr) && !strings.HasPrefix(terr.Msg, "could not import ") {
				found = append(found, terr)
			}
		},
	}
	_, _ = check.Check(c.dir, c.fset, c.syntax, c.info)
	for i, err := range found {
		if strings.Contains(err.Msg, "redeclared") && (i+1 == len(found) || c.files[c.fset.Position(found[i+1].Pos).Filename] == nil) {
			continue // the other declaration, which the next error has, is hand-written
		}
		at := c.fset.Position(err.Pos)
		f := c.files[at.Filename]
		if f == nil || f.Content == nil || c.mayBeElsewhere(err.Msg) || c.dependsOnImports(err.Pos) {
			continue
		}
		span, what := c.cause(err.Pos, f)
		c.bag.Errorf(span, codeDoesNotCompile, "kindsmith cannot generate Go for %s: line %d of %s would not compile: %s; this is a bug of kindsmith, please report it; --skip %s writes the rest", what, at.Line, f.Name, err.Msg, f.by)
		return // others in the folder may follow from it
	}
}

// parse parses the folder's Go files: those of the run, and those on the disk without the bodies of their functions. Files
// that are written elsewhere belong to the package in its folder.
func (c *compilation) parse() bool {
	dirs, names := []string{c.dir}, map[string]bool{}
	for path, f := range c.files {
		names[filepath.Base(path)] = true
		if f.pkg != nil && f.pkg.Dir != "" && !slices.Contains(dirs, f.pkg.Dir) {
			dirs = append(dirs, f.pkg.Dir)
		}
	}
	var generated []*ast.File
	for path, f := range c.files {
		if f.Content == nil {
			continue
		}
		parsed, err := parser.ParseFile(c.fset, path, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return false // gofile has formatted it, so a person has changed it
		}
		generated = append(generated, parsed)
		c.name = parsed.Name.Name
	}
	for _, dir := range dirs {
		if !c.parseDisk(dir, names) {
			return false
		}
	}
	c.syntax = append(c.syntax, generated...) // what is declared twice is reported in them
	return true
}

// parseDisk parses the files of a folder, apart from those with the names of files of the run.
func (c *compilation) parseDisk(dir string, written map[string]bool) bool {
	disk := c.cfg.Files.Unrecorded()
	names, err := disk.List(source.GoFiles, dir)
	if err != nil {
		names = nil // the folder does not exist yet
	}
	constraints := build.Default
	constraints.BuildTags = c.cfg.BuildTags
	constraints.OpenFile = func(path string) (io.ReadCloser, error) {
		content, err := disk.ReadFile(path)
		return io.NopCloser(strings.NewReader(string(content))), err
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if match, err := constraints.MatchFile(dir, name); err != nil || !match || written[name] {
			continue
		}
		content, err := disk.ReadFile(path)
		if err != nil {
			return false
		}
		f, err := parser.ParseFile(c.fset, path, content, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		if f.Name.Name != c.name {
			continue
		}
		for _, decl := range f.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if decl.Body != nil { // its end is not reached
					decl.Body.List = []ast.Stmt{&ast.ForStmt{For: decl.Body.Lbrace, Body: &ast.BlockStmt{}}}
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.ImportSpec); ok && spec.Name != nil && spec.Name.Name == "." {
						return false
					}
				}
			}
		}
		c.syntax = append(c.syntax, f)
	}
	return true
}

// mayBeElsewhere reports whether a message is about a declaration that other files have: those of parts that the run does
// not write, or a hand-written method.
func (c *compilation) mayBeElsewhere(message string) bool {
	partial := len(c.cfg.Only)+len(c.cfg.Skip)+len(c.cfg.Generators) > 0
	return partial && strings.Contains(message, "undefined") || strings.Contains(message, "already declared at")
}

// dependsOnImports reports whether the missing field or method at a position may be one of an embedded type of another
// package.
func (c *compilation) dependsOnImports(pos token.Pos) bool {
	depends := false
	for _, f := range c.syntax {
		if f.FileStart > pos || pos >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || n.End() <= pos && n.End() != pos {
				return false
			}
			e, _ := n.(ast.Expr)
			if sel, ok := n.(*ast.SelectorExpr); ok {
				e = sel.X
			}
			if t := c.info.Types[e].Type; e != nil && t != nil && hidesEmbedded(t, map[types.Type]bool{}) {
				depends = true
			}
			return true
		})
	}
	return depends
}

// hidesEmbedded reports whether a type embeds one that is not known.
func hidesEmbedded(t types.Type, seen map[types.Type]bool) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return t.Underlying() == types.Typ[types.Invalid]
	}
	for f := range s.Fields() {
		if f.Embedded() && hidesEmbedded(f.Type(), seen) {
			return true
		}
	}
	return false
}

// cause returns the declaration that a generated one was made from: the first type of the package that the function
// mentions, else the package.
func (c *compilation) cause(pos token.Pos, f *File) (source.Span, string) {
	var decl ast.Decl
	for _, parsed := range c.syntax {
		for _, d := range parsed.Decls {
			if d.Pos() <= pos && pos < d.End() {
				decl = d
			}
		}
	}
	span, what := source.Span{}, "the package"
	if f.pkg == nil {
		return span, what
	}
	span, what = f.pkg.Span, "package "+f.pkg.Path
	if decl == nil {
		return span, what
	}
	mentioned := false
	ast.Inspect(decl, func(n ast.Node) bool {
		if ident, ok := n.(*ast.Ident); ok && !mentioned {
			if t := c.model.Type(model.Name{Package: f.pkg.Path, Name: ident.Name}); t != nil && !t.Span.IsZero() {
				span, what, mentioned = t.Span, "the type "+t.Name, true
			}
		}
		return !mentioned
	})
	return span, what
}

// nothing is an importer that knows no package.
type nothing struct{}

func (nothing) Import(string) (*types.Package, error) { return nil, errors.New("not loaded") }
