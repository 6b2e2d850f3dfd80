package evolve

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/model"
)

// builtins are the predeclared types that a field can have.
var builtins = map[string]bool{
	"string": true, "bool": true, "byte": true, "rune": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float32": true, "float64": true,
}

// parseType parses a Go type expression in the newest version's package. The error is a message for
// users that follows "fromType: ".
func (h *hub) parseType(text string) (*model.Ref, error) {
	expr, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a Go type", text)
	}
	return h.typeOf(expr, text)
}

func (h *hub) typeOf(expr ast.Expr, text string) (*model.Ref, error) {
	switch x := expr.(type) {
	case *ast.ParenExpr:
		return h.typeOf(x.X, text)
	case *ast.Ident:
		return h.localType(x.Name)
	case *ast.SelectorExpr:
		pkg, ok := x.X.(*ast.Ident)
		if !ok {
			break
		}
		return h.importedType(pkg.Name, x.Sel.Name)
	case *ast.StarExpr:
		elem, err := h.typeOf(x.X, text)
		if err != nil {
			return nil, err
		}
		return model.PointerTo(elem), nil
	case *ast.ArrayType:
		elem, err := h.typeOf(x.Elt, text)
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
		return nil, fmt.Errorf("%q: write the array length as a number", text)
	case *ast.MapType:
		key, err := h.typeOf(x.Key, text)
		if err != nil {
			return nil, err
		}
		elem, err := h.typeOf(x.Value, text)
		if err != nil {
			return nil, err
		}
		return &model.Ref{Kind: model.KindMap, Key: key, Elem: elem}, nil
	}
	return nil, fmt.Errorf("%q cannot be the type of a field; write a named type, or a pointer, slice or map of one", text)
}

func (h *hub) localType(name string) (*model.Ref, error) {
	if t := h.pkg.Type(name); t != nil {
		if t.Generic {
			return nil, fmt.Errorf("%s is generic; declare a type for the instance", name)
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

func (h *hub) importedType(pkg, name string) (*model.Ref, error) {
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
func (h *hub) spell(r *model.Ref) string { return h.pkg.Spell(r) }

// a spells a type with its article: "an int32".
func (h *hub) a(r *model.Ref) string { return withArticle(h.spell(r)) }
