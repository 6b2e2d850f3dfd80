package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// identifier renames a constant or a function in Go: where it is declared and used, in all files of the project. It needs no
// types: where a name could mean something else, it refuses, and gopls can rename.
func (r *renamer) identifier(ref *model.Reference) error {
	p := r.m.Package(ref.Package)
	if p == nil || p.IsDependency() {
		return requestFailed("%s belongs to another module", ref.Name)
	}
	switch {
	case !token.IsIdentifier(r.to):
		return requestFailed("%q is not a name in Go", r.to)
	case p.Decls[r.to] || p.Funcs[r.to] != nil || p.Consts[r.to] != nil:
		return requestFailed("%s is declared in the package already", r.to)
	case ast.IsExported(ref.Name) && !ast.IsExported(r.to):
		return requestFailed("%s is exported, and other packages may use it; begin the new name with an upper-case letter", ref.Name)
	}
	files := source.NewFS(nil)
	names, err := files.List(source.Tree, r.in.dir)
	if err != nil {
		return requestFailed("%s", err)
	}
	for _, name := range names {
		if filepath.Ext(name) != ".go" {
			continue
		}
		path := filepath.Join(r.in.dir, filepath.FromSlash(name))
		_, content, ok := r.server.current(path)
		if !ok || !strings.Contains(string(content), ref.Name) {
			continue
		}
		if err := r.uses(source.NewFile(filepath.ToSlash(name), source.LF(content)), p, filepath.Dir(path) == p.Dir, ref.Name); err != nil {
			return err
		}
	}
	return nil
}

// uses adds the edits of a file.
func (r *renamer) uses(f *source.File, p *model.Package, same bool, name string) error {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, f.Path, f.Content, parser.SkipObjectResolution)
	if err != nil {
		return requestFailed("%s has a syntax error", f.Path)
	}
	u := &uses{name: name, same: same && syntax.Name.Name == p.Name}
	if !u.same {
		if u.imported = importName(syntax, p); u.imported == "" {
			return nil
		}
	}
	ast.Inspect(syntax, u.visit)
	if u.hides.IsValid() && len(u.found) > 0 {
		at := fset.Position(u.hides)
		return requestFailed("%s has another meaning in %s:%d; rename it with gopls", name, f.Path, at.Line)
	}
	for _, id := range u.found {
		start := fset.Position(id.Pos()).Offset
		r.edits = append(r.edits, diag.Edit{Span: f.Span(start, start+len(name)), NewText: r.to})
	}
	return nil
}

// importName returns the name by which a file uses a package; "" if it does not.
func importName(f *ast.File, p *model.Package) string {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil || path != p.Path:
		case spec.Name != nil:
			return spec.Name.Name
		default:
			return p.Name
		}
	}
	return ""
}

// uses finds the uses of a package-level name in a file.
type uses struct {
	name string
	// same is set in the package, imported is its name in another one.
	same     bool
	imported string
	found    []*ast.Ident
	// hides is a declaration with the same name in another scope.
	hides token.Pos
}

func (u *uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		x, ok := n.X.(*ast.Ident)
		if ok && !u.same && x.Name == u.imported && n.Sel.Name == u.name {
			u.found = append(u.found, n.Sel)
		}
		ast.Inspect(n.X, u.visit)
		return false
	case *ast.FuncDecl:
		if n.Recv == nil {
			u.use(n.Name)
		} else {
			ast.Inspect(n.Recv, u.visit)
		}
		ast.Inspect(n.Type, u.visit)
		if n.Body != nil {
			ast.Inspect(n.Body, u.visit)
		}
		return false
	case *ast.Field: // of a struct, an interface, parameters or results
		u.hide(n.Names...)
		ast.Inspect(n.Type, u.visit)
		return false
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			u.hideAll(n.Lhs...)
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			u.hideAll(n.Key, n.Value)
		}
	case *ast.DeclStmt:
		u.hideIn(n.Decl)
	case *ast.Ident:
		u.use(n)
	}
	return true
}

func (u *uses) use(id *ast.Ident) {
	if u.same && id.Name == u.name {
		u.found = append(u.found, id)
	}
}

// hide notes names that hide the one to rename.
func (u *uses) hide(names ...*ast.Ident) {
	hidden := u.name
	if !u.same {
		hidden = u.imported
	}
	for _, id := range names {
		if id != nil && id.Name == hidden {
			u.hides = id.Pos()
		}
	}
}

func (u *uses) hideAll(list ...ast.Expr) {
	for _, e := range list {
		if id, ok := e.(*ast.Ident); ok {
			u.hide(id)
		}
	}
}

// hideIn notes the names of a declaration in a function.
func (u *uses) hideIn(d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range g.Specs {
		switch spec := spec.(type) {
		case *ast.ValueSpec:
			u.hide(spec.Names...)
		case *ast.TypeSpec:
			u.hide(spec.Name)
		}
	}
}
