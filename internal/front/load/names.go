package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Exported returns the exported names that the files of a package declare, including those that
// loading drops.
func (r *Result) Exported(path string) []string {
	p := r.Package(path)
	if p == nil {
		return nil
	}
	var names []string
	files, _ := r.files.List(source.GoFiles, p.Dir)
	for _, name := range files {
		content, err := r.files.ReadFile(filepath.Join(p.Dir, name))
		if err == nil {
			names = append(names, Declared(content)...)
		}
	}
	return names
}

// Declared returns the exported names of a file's package-level declarations.
func Declared(content []byte) []string {
	file, _ := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if file == nil {
		return nil
	}
	var names []string
	add := func(ident *ast.Ident) {
		if ident.IsExported() {
			names = append(names, ident.Name)
		}
	}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				add(decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, ident := range spec.Names {
						add(ident)
					}
				}
			}
		}
	}
	return names
}
