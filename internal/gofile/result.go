package gofile

import "go/ast"

// Result returns the type that a function without parameters returns, as written: T, pkg.T or a
// pointer to one, or "" for any other result.
func Result(f *ast.FuncType) string {
	if f.Params.NumFields() > 0 || f.Results.NumFields() != 1 {
		return ""
	}
	result, star := f.Results.List[0].Type, ""
	if pointer, ok := result.(*ast.StarExpr); ok {
		result, star = pointer.X, "*"
	}
	switch result := result.(type) {
	case *ast.Ident:
		return star + result.Name
	case *ast.SelectorExpr:
		if pkg, ok := result.X.(*ast.Ident); ok {
			return star + pkg.Name + "." + result.Sel.Name
		}
	}
	return ""
}
