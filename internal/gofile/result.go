package gofile

import "go/ast"

// Result returns the type that a function without parameters returns, as written: T or
// *T, or "" for any other result.
func Result(f *ast.FuncType) string {
	if f.Params.NumFields() > 0 || f.Results.NumFields() != 1 {
		return ""
	}
	result, star := f.Results.List[0].Type, ""
	if pointer, ok := result.(*ast.StarExpr); ok {
		result, star = pointer.X, "*"
	}
	if ident, ok := result.(*ast.Ident); ok {
		return star + ident.Name
	}
	return ""
}
