package adopt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Source is a file with hand-written types that would be generated.
type Source struct {
	Name string
	// Rest are the declarations that would not be generated.
	Rest []string
}

// Sources returns the files with types that would be generated.
func (v *Version) Sources() []Source {
	generated := v.generated()
	var names []string
	for _, t := range v.Types {
		if generated[t.Name] {
			names = append(names, filepath.Base(t.Span.File.Path))
		}
	}
	slices.Sort(names)
	var list []Source
	for _, name := range slices.Compact(names) {
		list = append(list, Source{Name: name, Rest: rest(v.Package, name, generated)})
	}
	return list
}

// rest returns the package-level declarations of a file that are not generated.
func rest(p *model.Package, name string, generated map[string]bool) []string {
	path := filepath.Join(p.Dir, name)
	content, err := source.NewFS(nil).ReadFile(path)
	if err != nil {
		return nil // the loader has read it
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, content, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if !generated[name] && name != "_" {
			names = append(names, name)
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name.Name)
			} else if r := receiver(d); r != "" {
				names = append(names, r+"."+d.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name.Name)
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						add(n.Name)
					}
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type that has a method.
func receiver(d *ast.FuncDecl) string {
	r := d.Recv.List[0].Type
	if star, ok := r.(*ast.StarExpr); ok {
		r = star.X
	}
	if name, ok := r.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
