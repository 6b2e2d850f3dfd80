package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// importer resolves the imports of one package.
type importer struct {
	r    *Result
	p    *Package
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
	dep := i.r.load(meta)
	i.p.deps = append(i.p.deps, dep.Path)
	i.p.unsure = i.p.unsure || dep.Broken || dep.unsure
	return dep.Types, nil
}

// oneLine joins the lines of a message of the go command.
func oneLine(message string) string { return strings.Join(strings.Fields(message), " ") }

// checkNames reports the files that belong to another package than the first. It ignores generated
// files, which are written again.
func (r *Result) checkNames(p *Package) {
	counts := map[string]int{}
	var most *File // the first file with the most frequent name
	for _, f := range p.Files {
		if name := f.Syntax.Name.Name; !f.Generated && name != "" && name != "_" {
			counts[name]++
			if most == nil || counts[name] > counts[most.Syntax.Name.Name] {
				most = f
			}
		}
	}
	if most == nil {
		return
	}
	p.Name = most.Syntax.Name.Name // the go command takes that of the first file, which may be stale
	for _, f := range p.Files {
		if ident := f.Syntax.Name; !f.Generated && ident.Name != p.Name && ident.Name != "" && ident.Name != "_" {
			p.found.Errorf(r.Span(f.Syntax.Package, ident.End()), codeTypeCheck, "package %s, but %s in the same folder is in package %s; a folder has one package", ident.Name, filepath.Base(most.Source.Path), p.Name)
		}
	}
}

// check type-checks a package. It does not report errors if the package is broken, since they may be consequences.
func (r *Result) check(p *Package, meta *packages.Package) {
	p.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	syntax := make([]*ast.File, len(p.Files))
	for i, f := range p.Files {
		syntax[i] = f.Syntax
		p.prune(f, meta, r.cfg.Once)
	}
	if pending := r.pendingGroup(p); pending != nil {
		syntax = append(syntax, pending)
	}
	var found []types.Error
	cfg := types.Config{
		Importer:                 importer{r, p, meta},
		IgnoreFuncBodies:         true,
		FakeImportC:              true,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if terr := (types.Error{}); errors.As(err, &terr) {
				found = append(found, terr)
				p.recursive = p.recursive || strings.Contains(terr.Msg, "recursive type") || strings.Contains(terr.Msg, "cycle")
			}
		},
	}
	long := shorten(syntax)
	p.Types, _ = cfg.Check(p.Path, r.fset, syntax, p.Info)
	long.restore(p)
	p.dropInfo()
	if !p.Broken && (p.Root || mayChange(meta.Module)) {
		r.typeErrors(p, found)
	}
}

// dropInfo keeps only what is known of declarations of the package: the rest takes more memory than the
// syntax.
func (p *Package) dropInfo() {
	all := p.Info
	p.Info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				p.Info.Defs[fn.Name] = all.Defs[fn.Name]
			}
			g, ok := decl.(*ast.GenDecl)
			if !ok { // also one with a syntax error
				continue
			}
			for _, spec := range g.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					p.Info.Defs[spec.Name], p.Info.Types[spec.Type] = all.Defs[spec.Name], all.Types[spec.Type]
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						p.Info.Defs[name] = all.Defs[name]
					}
				}
			}
		}
	}
}

// typeErrors reports mistakes in declarations, unless they concern code that may not be generated
// yet, or that was pruned.
func (r *Result) typeErrors(p *Package, list []types.Error) {
	for i := 0; i < len(list); i++ {
		first := list[i]
		// Indented errors belong to the previous one.
		var more []types.Error
		for i+1 < len(list) && strings.HasPrefix(list[i+1].Msg, "\t") {
			i++
			more = append(more, list[i])
		}
		span := r.errorSpan(first)
		if span.IsZero() || p.awaits(first) || p.unsure && !isLocal(first) || slices.ContainsFunc(append(more, first), r.isInOutput) {
			continue
		}
		d := p.found.Errorf(span, codeTypeCheck, "%s", first.Msg)
		if name, ok := strings.CutPrefix(first.Msg, "undefined: "); ok && strings.HasPrefix(span.Text(), name+".") {
			// A missing import is one mistake, however often a file uses the package.
			once := diag.About("import", span.File.Path+": "+name)
			d.RestsOn(once).Voids(once)
		}
		if strings.Contains(first.Msg, " redeclared") {
			d.Voids(diag.Meaning(r.declaration(p, first.Pos)))
		}
		for _, m := range more {
			d.Note(r.errorSpan(m), "%s", strings.TrimSpace(m.Msg))
		}
	}
}

// isLocal reports whether a type error is about a name that the package does not declare, which no import can declare.
func isLocal(err types.Error) bool {
	name, ok := strings.CutPrefix(err.Msg, "undefined: ")
	return ok && !strings.Contains(name, ".")
}

// declaration returns the text of the declaration, or of the field, at a position, with its comment.
func (r *Result) declaration(p *Package, pos token.Pos) source.Span {
	var span source.Span
	from := func(n ast.Node, doc *ast.CommentGroup) {
		start := n.Pos()
		if doc != nil {
			start = doc.Pos()
		}
		span = r.Span(start, n.End())
	}
	for _, f := range p.Files {
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || n.End() <= pos {
				return false
			}
			switch n := n.(type) {
			case *ast.GenDecl:
				from(n, n.Doc)
			case *ast.TypeSpec:
				if n.Doc != nil {
					from(n, n.Doc)
				}
			case *ast.Field:
				from(n, n.Doc)
			}
			return true
		})
	}
	return span
}

// isInOutput reports whether a type error is in a file that is written again.
func (r *Result) isInOutput(err types.Error) bool {
	f := r.errorSpan(err).File
	return f != nil && r.isOutput(f.Path, f.Content)
}

// awaits reports whether an error concerns an undeclared name in a function's signature, since
// hand-written conversions may use types that are not generated yet, or a variable, function or
// method that was pruned.
func (p *Package) awaits(err types.Error) bool {
	if strings.Contains(err.Msg, "does not satisfy") && strings.Contains(err.Msg, "missing method") {
		return true
	}
	name, undefined := strings.CutPrefix(err.Msg, "undefined: ")
	if !undefined {
		return false
	}
	if p.pruned[name] {
		return true
	}
	for _, f := range p.Files {
		for _, decl := range f.Syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= err.Pos && err.Pos < fn.End() {
				return true
			}
		}
	}
	return false
}

// errorSpan returns the text of a type error: a string, such as the path of an import, or else the
// text up to the next delimiter.
func (r *Result) errorSpan(err types.Error) source.Span {
	f := r.fset.File(err.Pos)
	if f == nil || r.sources[f] == nil {
		return source.Span{}
	}
	src := r.sources[f]
	start := f.Offset(err.Pos)
	rest := string(src.Content[start:])
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "`") {
		if n := strings.IndexByte(rest[1:], rest[0]); n >= 0 {
			return src.Span(start, start+n+2)
		}
	}
	n := strings.IndexAny(rest, " \t\r\n(){}[],;`\"")
	if n < 0 {
		n = len(rest)
	}
	return src.Span(start, start+n)
}
