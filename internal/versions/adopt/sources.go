package adopt

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Source is a file of which something is to be removed.
type Source struct {
	Name string
	// Rest are the declarations that stay.
	Rest []string
	// Marker is set if only markers are to be removed.
	Marker string
}

// Sources returns the files of a folder among those that Removals returns.
func Sources(dir string, removals map[string][]byte) []Source {
	var list []Source
	for _, path := range slices.Sorted(maps.Keys(removals)) {
		if filepath.Dir(path) != dir {
			continue
		}
		before, err := source.NewFS(nil).ReadFile(path)
		if err != nil {
			continue // the loader has read it
		}
		s, was := Source{Name: filepath.Base(path), Rest: declared(removals[path])}, declared(before)
		if slices.Equal(s.Rest, was) {
			s.Rest, s.Marker = nil, "+"+foreign.ConversionGen
		}
		list = append(list, s)
	}
	return list
}

// declared returns the names that a file declares, methods as Type.name.
func declared(content []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", content, parser.SkipObjectResolution)
	if err != nil {
		return nil // the loader reports it
	}
	var names []string
	add := func(name string) {
		if name != "_" {
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
