package outputs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// compareNames compares upstream's generated files with ours, which declare all exported names of upstream's:
// hand-written code may use them.
func compareNames(theirs, ours string) error {
	return filepath.WalkDir(theirs, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(d.Name(), generated) {
			return err
		}
		rel, err := filepath.Rel(theirs, name)
		if err != nil {
			return err
		}
		want, err := exported(name)
		if err != nil {
			return err
		}
		got, err := exported(filepath.Join(ours, rel))
		if err != nil {
			return fmt.Errorf("%w: upstream's tool declares %s", err, strings.Join(slices.Sorted(maps.Keys(want)), ", "))
		}
		for n := range want {
			if !got[n] {
				return fmt.Errorf("%s does not declare %s", rel, n)
			}
		}
		return nil
	})
}

// exported returns the exported names that a file declares, methods as Type.Method.
func exported(name string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			n := decl.Name.Name
			if decl.Recv != nil {
				recv := decl.Recv.List[0].Type
				if star, ok := recv.(*ast.StarExpr); ok {
					recv = star.X
				}
				n = fmt.Sprint(recv) + "." + n
			}
			names[n] = true
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for _, ident := range v.Names {
						names[ident.Name] = true
					}
				}
			}
		}
	}
	maps.DeleteFunc(names, func(n string, _ bool) bool {
		return !token.IsExported(n) || strings.Contains(n, ".") && !token.IsExported(n[strings.IndexByte(n, '.')+1:])
	})
	return names, nil
}
