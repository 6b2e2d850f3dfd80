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
	return written(f.Results.List[0].Type)
}

// Param returns the type of the parameter of a function with one and without results, in the form of Result. It
// returns "" for other functions.
func Param(f *ast.FuncType) string {
	if f.Params.NumFields() != 1 || f.Results.NumFields() > 0 {
		return ""
	}
	return written(f.Params.List[0].Type)
}

// written returns T, pkg.T or a pointer to one as written but without type arguments, "" for other types.
func written(typ ast.Expr) string {
	star := ""
	if pointer, ok := typ.(*ast.StarExpr); ok {
		typ, star = pointer.X, "*"
	}
	switch typ := instance(typ).(type) {
	case *ast.Ident:
		return star + typ.Name
	case *ast.SelectorExpr:
		if pkg, ok := typ.X.(*ast.Ident); ok {
			return star + pkg.Name + "." + typ.Sel.Name
		}
	}
	return ""
}
