package evolve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// builtins are the predeclared types that a field can have.
var builtins = map[string]bool{
	"string": true, "bool": true, "byte": true, "rune": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float32": true, "float64": true,
}

// parseType parses a Go type expression of a field of a struct, in the newest version's package. The error is a message
// for users that follows "fromType: ".
func (h *evolver) parseType(text string, owner *model.Type) (*model.Ref, error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a Go type", text)
	}
	return (&typeParser{h, text, owner}).typeOf(expr)
}

// typeParser parses one type expression.
type typeParser struct {
	*evolver
	text string
	// owner is the struct whose type parameters the expression can name.
	owner *model.Type
}

func (h *typeParser) typeOf(expr ast.Expr) (*model.Ref, error) {
	switch x := expr.(type) {
	case *ast.ParenExpr:
		return h.typeOf(x.X)
	case *ast.Ident, *ast.SelectorExpr:
		return h.declared(x, nil)
	case *ast.IndexExpr:
		return h.declared(x.X, []ast.Expr{x.Index})
	case *ast.IndexListExpr:
		return h.declared(x.X, x.Indices)
	case *ast.StarExpr:
		elem, err := h.typeOf(x.X)
		if err != nil {
			return nil, err
		}
		return model.PointerTo(elem), nil
	case *ast.ArrayType:
		elem, err := h.typeOf(x.Elt)
		if err != nil {
			return nil, err
		}
		if x.Len == nil {
			return &model.Ref{Kind: model.KindSlice, Elem: elem}, nil
		}
		if lit, ok := x.Len.(*ast.BasicLit); ok && lit.Kind == token.INT {
			if n, err := strconv.ParseInt(lit.Value, 0, 64); err == nil {
				return &model.Ref{Kind: model.KindArray, Elem: elem, Len: n}, nil
			}
		}
		return nil, fmt.Errorf("%q: write the array length as a number", h.text)
	case *ast.MapType:
		key, err := h.typeOf(x.Key)
		if err != nil {
			return nil, err
		}
		elem, err := h.typeOf(x.Value)
		if err != nil {
			return nil, err
		}
		return &model.Ref{Kind: model.KindMap, Key: key, Elem: elem}, nil
	}
	return nil, fmt.Errorf("%q cannot be the type of a field; write a named type, or a pointer, slice or map of one", h.text)
}

// declared returns a declared type with type arguments.
func (h *typeParser) declared(expr ast.Expr, args []ast.Expr) (r *model.Ref, err error) {
	switch x := expr.(type) {
	case *ast.Ident:
		if slices.Contains(h.owner.TypeParams, x.Name) && len(args) == 0 {
			return &model.Ref{Kind: model.KindParam, Name: x.Name}, nil
		}
		r, err = h.localType(x.Name)
	case *ast.SelectorExpr:
		pkg, ok := x.X.(*ast.Ident)
		if !ok {
			return nil, fmt.Errorf("%q is not a Go type", h.text)
		}
		r, err = h.importedType(pkg.Name, x.Sel.Name)
	default:
		return nil, fmt.Errorf("%q is not a Go type", h.text)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Args) > 0 && len(args) == 0 {
		return r, nil // an alias of an instance
	}
	var params []string
	if t := h.m.Type(r.ID()); t != nil {
		params = t.TypeParams
	}
	switch {
	case len(r.Args) > 0 || len(args) > 0 && len(params) == 0:
		return nil, fmt.Errorf("%s is not generic; write it without type arguments", h.spell(r))
	case len(args) != len(params):
		return nil, fmt.Errorf("%s is generic; write its type arguments: %[1]s[%s]", h.spell(r), strings.Join(params, ", "))
	case len(args) == 0:
		return r, nil
	}
	instance := *r
	r = &instance
	for _, a := range args {
		arg, err := h.typeOf(a)
		if err != nil {
			return nil, err
		}
		r.Args = append(r.Args, arg)
	}
	return r, nil
}

func (h *evolver) localType(name string) (*model.Ref, error) {
	if t := h.pkg.Type(name); t != nil {
		if t.Alias && t.Generic {
			return nil, fmt.Errorf("%s is a generic alias; write the type that it stands for", name)
		}
		if t.Alias {
			return t.Def, nil
		}
		return model.Named(h.pkg.Path, name), nil
	}
	if builtins[name] {
		return model.Builtin(name), nil
	}
	for _, t := range h.pkg.Types {
		for _, s := range h.of(t).steps {
			if s.fromName() == name {
				return nil, fmt.Errorf("%s is the name of %s before %s; write %[2]s", name, t.Name, s.changed.Since)
			}
		}
	}
	return nil, fmt.Errorf("package %s has no type %s; declare the previous type for older versions", h.pkg.Name, name)
}

func (h *evolver) importedType(pkg, name string) (*model.Ref, error) {
	path, ok := h.pkg.Imports[pkg]
	if !ok {
		return nil, fmt.Errorf("no file of package %s imports a package as %s", h.pkg.Name, pkg)
	}
	ref := model.Named(path, name)
	t := h.m.Type(ref.ID())
	switch {
	case t == nil:
		return nil, fmt.Errorf("package %s has no type %s", path, name)
	case t.Alias:
		return t.Def, nil
	}
	return ref, nil
}

// spell returns the spelling of a type in the newest version's package.
func (h *evolver) spell(r *model.Ref) string { return h.pkg.Spell(r) }

// a spells a type with its article: "an int32".
func (h *evolver) withArticle(r *model.Ref) string { return english.A(h.spell(r)) }
