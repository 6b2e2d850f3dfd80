package load

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
)

// builderTypes are the types of scheme builders, by import path, and the functions that
// return them. The value is what follows the name of a variable in an expression that
// functions are registered with.
var builderTypes = map[string]map[string]string{
	"k8s.io/apimachinery/pkg/runtime":           {"SchemeBuilder": "", "NewSchemeBuilder": ""},
	"sigs.k8s.io/controller-runtime/pkg/scheme": {"Builder": ".SchemeBuilder"},
}

// builderNames are the names of scheme builders in generated code.
var builderNames = [][]byte{[]byte("localSchemeBuilder"), []byte("SchemeBuilder")}

// addBuilders notes the scheme builders among the variables of a file.
func (f *facts) addBuilders(file *ast.File, content []byte) {
	f.NamesBuilder = f.NamesBuilder || slices.ContainsFunc(builderNames, func(name []byte) bool { return hasWord(content, name) })
	imports := map[string]string{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || builderTypes[path] == nil {
			continue
		}
		name := "runtime"
		if builderTypes[path]["Builder"] != "" {
			name = "scheme"
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imports[name] = path
	}
	if len(imports) == 0 {
		return
	}
	for _, decl := range file.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			spec := spec.(*ast.ValueSpec)
			for i, name := range spec.Names {
				typ := spec.Type
				if typ == nil && i < len(spec.Values) {
					typ = typeOfValue(spec.Values[i])
				}
				if star, ok := typ.(*ast.StarExpr); ok {
					typ = star.X
				}
				sel, ok := typ.(*ast.SelectorExpr)
				if !ok {
					continue
				}
				if pkg, ok := sel.X.(*ast.Ident); ok {
					if suffix, ok := builderTypes[imports[pkg.Name]][sel.Sel.Name]; ok {
						f.Builders[name.Name] = name.Name + suffix
					}
				}
			}
		}
	}
}

// typeOfValue returns the type of T{}, &T{} and new(T), and the function of a call.
func typeOfValue(value ast.Expr) ast.Expr {
	switch v := value.(type) {
	case *ast.UnaryExpr:
		if v.Op == token.AND {
			return typeOfValue(v.X)
		}
	case *ast.CompositeLit:
		return v.Type
	case *ast.CallExpr:
		if fn, ok := v.Fun.(*ast.Ident); ok && fn.Name == "new" && len(v.Args) == 1 {
			return v.Args[0]
		}
		return v.Fun
	}
	return nil
}
