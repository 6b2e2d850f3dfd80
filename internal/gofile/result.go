package gofile

import "go/ast"

// Receiver returns the type whose method a function is, "" for other functions, and whether its receiver is
// a pointer.
func Receiver(f *ast.FuncDecl) (name string, pointer bool) {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return "", false
	}
	recv := f.Recv.List[0].Type
	star, pointer := recv.(*ast.StarExpr)
	if pointer {
		recv = star.X
	}
	if ident, ok := instance(recv).(*ast.Ident); ok {
		name = ident.Name
	}
	return name, pointer
}

// instance returns a type without its type arguments.
func instance(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.IndexExpr:
		return e.X
	case *ast.IndexListExpr:
		return e.X
	}
	return e
}

// Result returns the type that a function without parameters returns, as written but without type arguments:
// T, pkg.T or a pointer to one, or "" for any other result.
func Result(f *ast.FuncType) string {
	if f.Params.NumFields() > 0 || f.Results.NumFields() != 1 {
		return ""
	}
	result, star := f.Results.List[0].Type, ""
	if pointer, ok := result.(*ast.StarExpr); ok {
		result, star = pointer.X, "*"
	}
	switch result := instance(result).(type) {
	case *ast.Ident:
		return star + result.Name
	case *ast.SelectorExpr:
		if pkg, ok := result.X.(*ast.Ident); ok {
			return star + pkg.Name + "." + result.Sel.Name
		}
	}
	return ""
}
