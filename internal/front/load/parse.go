package load

import (
	"bytes"
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// isOutput reports whether a file has the name of an output of Kubernetes' generators,
// and was written by one: it is written again, so what it declares does not count. What
// Config.Kept names counts if another generator wrote it.
func (r *Result) isOutput(name string, content []byte) bool {
	base := filepath.Base(name)
	if !strings.HasPrefix(base, provenance.Prefix) {
		return false
	}
	from := provenance.Of(base, content)
	return from.Ours || from.Generator != "" && !slices.Contains(r.cfg.Kept, base)
}

// relevant are the beginnings of the declarations for which files of other packages are parsed:
// types, constants and called functions.
var relevant = []string{"type", "const", "func " + gofile.CustomValidation, "func " + gofile.Defaulting, "func " + gofile.ObjectDefaulting}

// isRelevant reports whether a file of another package has such a declaration, or a marker about
// validators of another package.
func isRelevant(content []byte) bool {
	for _, start := range relevant {
		for range lines(content, start) {
			return true
		}
	}
	return bytes.Contains(content, []byte("+"+foreign.ValidationGenInput))
}

// lines returns the ends of the file, each from a line that begins with the text after spaces: not all
// files are formatted.
func lines(content []byte, start string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for at := 0; ; at += len(start) {
			i := bytes.Index(content[at:], []byte(start))
			if i < 0 {
				return
			}
			at += i
			before := bytes.TrimRight(content[:at], " \t")
			if (len(before) == 0 || before[len(before)-1] == '\n') && !yield(content[at:]) {
				return
			}
		}
	}
}

var methodLine = regexp.MustCompile(`^func \((?:\w+ )?(\*?)(\w+)(?:\[[^\]]*\])?\) (\w+)\((?:\) (\*?\w+)(?:\[[^\]]*\])? \{|\w+ (\*?\w+)(?:\[[^\]]*\])?\) \{)?`)

// parse parses one file. Outside the roots, it reads methods from their first lines, and skips
// files without relevant declarations: most of an API package is generated protobuf code.
func (r *Result) parse(p *Package, of *part, name string, content []byte, comments bool) *File {
	generated := r.isOutput(name, content)
	if !generated && !p.External {
		of.registration.read(content)
	}
	if !p.Root {
		of.scanMethods(content)
		if generated && provenance.Of(name, content).Ours {
			of.scanGenerated(content)
		}
		if !isRelevant(content) && !slices.Contains(r.cfg.Complete, p.Path) {
			return nil
		}
	}
	mode := parser.SkipObjectResolution
	if comments {
		mode |= parser.ParseComments
	}
	content = source.LF(content) // go/ast has wrong ends for comments with CRLF
	syntax, err := parser.ParseFile(r.fset, name, content, mode)
	if syntax == nil {
		return nil
	}
	tf := r.fset.File(syntax.FileStart)
	src := source.NewFile(r.display(name), content)
	r.sources[tf] = src
	if list := (scanner.ErrorList)(nil); errors.As(err, &list) && p.Module != "" && !provenance.Of(name, content).Ours {
		// Later errors are consequences of the first.
		of.found.Errorf(src.Span(list[0].Pos.Offset, list[0].Pos.Offset+1), codeSyntax, "%s", list[0].Msg)
	}
	if p.Root {
		of.addDecls(syntax, generated)
		of.addMarked(syntax)
		if !generated {
			of.addBuilders(syntax, content)
		}
	}
	return &File{Source: src, Syntax: syntax, Generated: generated}
}

// scanMethods reads methods from their first lines.
func (f *facts) scanMethods(content []byte) {
	for rest := range lines(content, "func (") {
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		if m := methodLine.FindSubmatch(line); m != nil {
			f.addMethod(string(m[2]), string(m[3]), Method{Pointer: len(m[1]) > 0, Result: string(m[4]), Param: string(m[5])})
		}
	}
}

var functionLine = regexp.MustCompile(`(?m)^func (\w+)\(`)

// scanGenerated reads the names of a generated file's functions.
func (f *facts) scanGenerated(content []byte) {
	for _, m := range functionLine.FindAllSubmatch(content, -1) {
		f.Generated[string(m[1])] = true
	}
}

// addDecls records the declarations of a root's file. It ignores generated files, which are written
// again.
func (f *facts) addDecls(syntax *ast.File, generated bool) {
	if generated {
		return
	}
	for _, decl := range syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				f.Decls[decl.Name.Name] = true
				continue
			}
			if name, pointer := gofile.Receiver(decl); name != "" {
				f.addMethod(name, decl.Name.Name, Method{Pointer: pointer, Result: gofile.Result(decl.Type), Param: gofile.Param(decl.Type)})
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					f.Decls[spec.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						f.Decls[n.Name] = true
					}
				}
			}
		}
	}
}

// display returns a path for display: relative to the run's folder if the file is below it.
func (r *Result) display(name string) string {
	rel, err := filepath.Rel(cmp.Or(r.cfg.Base, r.cfg.Dir), name)
	if err != nil || strings.HasPrefix(rel, ".."+string(filepath.Separator)+"..") {
		return name
	}
	return filepath.ToSlash(rel)
}

// prune drops declarations that a model does not need, and then unused imports, so that these
// packages are not loaded.
func (p *Package) prune(file *File, meta *packages.Package, once bool) {
	f := file.Syntax
	kept := f.Decls[:0]
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.GenDecl:
			if decl.Tok == token.VAR {
				for _, spec := range decl.Specs {
					for _, name := range spec.(*ast.ValueSpec).Names {
						file.pruned = append(file.pruned, name.Name)
					}
				}
				continue
			}
		case *ast.FuncDecl:
			// Only the names of methods matter.
			if decl.Recv != nil || !p.isCalled(decl.Name.Name, once) {
				if decl.Recv == nil {
					file.pruned = append(file.pruned, decl.Name.Name)
				}
				continue
			}
			if decl.Body != nil { // go/types requires a body in generic functions
				decl.Body = &ast.BlockStmt{Lbrace: decl.Body.Lbrace, Rbrace: decl.Body.Rbrace}
			}
		}
		kept = append(kept, decl)
	}
	clear(f.Decls[len(kept):]) // or their bodies remain in memory
	f.Decls = kept
	for _, name := range file.pruned { // also of an earlier load
		p.pruned[name] = true
	}

	used := map[string]bool{}
	for _, decl := range f.Decls {
		if g, ok := decl.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if ident, ok := sel.X.(*ast.Ident); ok {
					used[ident.Name] = true
				}
			}
			return true
		})
	}
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		specs := g.Specs[:0]
		for _, spec := range g.Specs {
			if imp := spec.(*ast.ImportSpec); isDot(imp) || used[importedAs(imp, meta)] {
				specs = append(specs, imp)
			}
		}
		g.Specs = specs
	}
	// go/ast has no positions for a declaration without parts.
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		g, ok := d.(*ast.GenDecl)
		return ok && len(g.Specs) == 0
	})
}

// isCalled reports whether generated code may call a function, so that its signature matters. Markers of a
// root name functions of the same package, and later loads may have other markers.
func (p *Package) isCalled(function string, once bool) bool {
	switch {
	case function == "init" || function == "main":
		return false
	case strings.HasPrefix(function, gofile.CustomValidation):
		return true
	case gofile.IsDefaulting(function):
		// Those for types of other projects are not called: defaulter-gen needs a flag for it.
		return p.Root || !p.External
	}
	return p.Root && (!once || strings.HasPrefix(function, model.ConversionPrefix) || function == addToScheme || p.marked[function])
}

// addToScheme is the function by which projects add a package to a scheme, which may be hand-written.
const addToScheme = "AddToScheme"

var word = regexp.MustCompile(`\w+`)

// elsewhere begin the markers that are not about types, such as those in the package of a controller.
var elsewhere = []string{"+build ", "+kubebuilder:rbac:", "+kubebuilder:scaffold:", "+kubebuilder:webhook:"}

// addMarked records the words in the lines of comments that may be markers.
func (f *facts) addMarked(syntax *ast.File) {
	for _, group := range syntax.Comments {
		for _, c := range group.List {
			for line := range strings.Lines(c.Text) {
				if at := strings.TrimLeft(line, "/* \t"); strings.HasPrefix(at, "+") {
					f.described = f.described || !slices.ContainsFunc(elsewhere, func(m string) bool { return strings.HasPrefix(at, m) })
					for _, name := range word.FindAllString(at, -1) {
						f.marked[name] = true
					}
				}
			}
		}
	}
}

func isDot(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == "." }

// importedAs returns the name under which a file knows an imported package.
func importedAs(spec *ast.ImportSpec, meta *packages.Package) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	if dep := meta.Imports[path]; dep != nil && dep.Name != "" {
		return dep.Name
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}
