package lower

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/front/load"
)

// ref translates a type expression. It replaces aliases by the aliased type, except aliases
// with markers, which the model has as types.
func (l *lowerer) ref(t types.Type) *model.Ref {
	switch t := t.(type) {
	case *types.Alias:
		if l.isBroken(t.Obj()) {
			return &model.Ref{Kind: model.KindInvalid}
		}
		if l.isMarked(t) {
			return model.Named(t.Obj().Pkg().Path(), t.Obj().Name())
		}
		r := l.ref(t.Rhs())
		r.Alias = l.alias(t, l.now.path)
		return r
	case *types.Basic:
		if t.Kind() == types.Invalid {
			return &model.Ref{Kind: model.KindInvalid}
		}
		return model.Builtin(t.Name())
	case *types.Named:
		obj := t.Obj()
		if obj.Pkg() == nil { // error, comparable
			return &model.Ref{Kind: model.KindInterface, Name: obj.Name()}
		}
		if l.isBroken(obj) {
			return &model.Ref{Kind: model.KindInvalid}
		}
		r := model.Named(obj.Pkg().Path(), obj.Name())
		for a := range t.TypeArgs().Types() {
			r.Args = append(r.Args, l.ref(a))
		}
		return r
	case *types.Pointer:
		return model.PointerTo(l.ref(t.Elem()))
	case *types.Slice:
		return &model.Ref{Kind: model.KindSlice, Elem: l.ref(t.Elem())}
	case *types.Array:
		return &model.Ref{Kind: model.KindArray, Len: t.Len(), Elem: l.ref(t.Elem())}
	case *types.Map:
		return &model.Ref{Kind: model.KindMap, Key: l.ref(t.Key()), Elem: l.ref(t.Elem())}
	case *types.Struct:
		r := &model.Ref{Kind: model.KindStruct}
		if t.NumFields() > 0 {
			r.Name = model.AnonymousStruct
		}
		return r
	case *types.Interface:
		return &model.Ref{Kind: model.KindInterface}
	case *types.Signature:
		return &model.Ref{Kind: model.KindFunc}
	case *types.Chan:
		return &model.Ref{Kind: model.KindChan}
	case *types.TypeParam:
		return &model.Ref{Kind: model.KindParam, Name: t.Obj().Name()}
	}
	return &model.Ref{Kind: model.KindInvalid}
}

// isBroken reports whether a type is of a package whose declarations are unknown.
func (l *lowerer) isBroken(obj *types.TypeName) bool {
	if obj.Pkg() == nil {
		return false
	}
	p := l.res.Package(obj.Pkg().Path())
	return p != nil && p.Broken
}

// alias returns what controller-gen reads of an alias that a package names: for it, an alias of a declared
// type is that type within its own package. It returns nil if that is nothing.
func (l *lowerer) alias(a *types.Alias, from string) *model.Alias {
	pkg := a.Obj().Pkg()
	if pkg == nil {
		return nil
	}
	out := &model.Alias{Package: pkg.Path()}
	if _, named := types.Unalias(a).(*types.Named); !named || pkg.Path() != from {
		if ps, d, ok := l.aliasDecl(a); ok {
			doc, markers := l.typeComments(ps.lowered, d)
			bag := l.now.found
			l.now.found = &diag.Bag{} // the declaration reports its mistakes
			out.Doc, out.Markers = doc, l.items(ps.lowered.bare, markers, itemType).markers
			l.now.found = bag
		}
	}
	if of, ok := a.Rhs().(*types.Alias); ok {
		if inner := l.alias(of, pkg.Path()); inner != nil {
			out.Doc = cmp.Or(out.Doc, inner.Doc)
			out.Markers = slices.Concat(inner.Markers, out.Markers)
		}
	}
	if out.Doc == "" && len(out.Markers) == 0 {
		return nil
	}
	return out
}

// aliasDecl returns the declaration of an alias.
func (l *lowerer) aliasDecl(a *types.Alias) (*packageState, typeDecl, bool) {
	obj := a.Obj()
	l.now.need(obj.Pkg().Path())
	ps := l.state(obj.Pkg().Path())
	if ps == nil {
		return nil, typeDecl{}, false
	}
	d, ok := ps.specs[obj.Name()]
	return ps, d, ok && ps.load.Info.Defs[d.spec.Name] == obj
}

// isMarked reports whether an alias of a type without a name has markers. What they
// mean applies wherever the alias is written, as with any declared type.
func (l *lowerer) isMarked(a *types.Alias) bool {
	obj := a.Obj()
	if obj.Pkg() == nil || a.TypeParams().Len() > 0 {
		return false
	}
	switch types.Unalias(a).(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Array, *types.Map:
	default:
		return false
	}
	ps, d, ok := l.aliasDecl(a)
	if !ok {
		return false
	}
	_, markers := l.typeComments(ps.lowered, d)
	return len(markers) > 0
}

// typeParams returns the names of a generic type's parameters, and their constraints unless all are any.
func (l *lowerer) typeParams(t types.Type) (names []string, constraints []*model.Ref) {
	named, ok := t.(*types.Named)
	if !ok {
		return nil, nil
	}
	constrained := false
	for p := range named.TypeParams().TypeParams() {
		names = append(names, p.Obj().Name())
		c := l.constraint(p.Constraint())
		constraints = append(constraints, c)
		constrained = constrained || c.Kind != model.KindInterface || c.Name != ""
	}
	if !constrained {
		constraints = nil
	}
	return names, constraints
}

// constraint returns a constraint that depends on no methods and no declared types, so that types of all versions
// satisfy it; otherwise an invalid reference.
func (l *lowerer) constraint(t types.Type) *model.Ref {
	i, ok := t.Underlying().(*types.Interface)
	switch {
	case !ok || i.NumMethods() > 0 || !predeclared(i):
		return &model.Ref{Kind: model.KindInvalid}
	case i.Empty():
		return &model.Ref{Kind: model.KindInterface}
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && (named.Obj().Pkg() == nil || named.Obj().Exported()) {
		return l.ref(named)
	}
	text := types.TypeString(i, nil)
	if strings.Contains(text, ".") { // it embeds a declared interface
		return &model.Ref{Kind: model.KindInvalid}
	}
	return &model.Ref{Kind: model.KindInterface, Name: text}
}

// predeclared reports whether the types that an interface lists are predeclared ones.
func predeclared(i *types.Interface) bool {
	for e := range i.EmbeddedTypes() {
		switch e := types.Unalias(e).Underlying().(type) {
		case *types.Interface:
			if !predeclared(e) {
				return false
			}
		case *types.Union:
			for term := range e.Terms() {
				if _, ok := types.Unalias(term.Type()).(*types.Basic); !ok {
					return false
				}
			}
		default:
			if _, ok := types.Unalias(e).(*types.Basic); !ok {
				return false
			}
		}
	}
	return true
}

// wire reads the json struct tag like encoding/json. The option inline of the Kubernetes convention has no
// effect: encoding/json inlines the structs that are embedded without a name.
func wire(f *model.Field) {
	tag := reflect.StructTag(f.StructTag).Get("json")
	name, options, _ := strings.Cut(tag, ",")
	if tag == "-" || !f.Exported() && !f.Embedded {
		f.Skipped = true
		return
	}
	for o := range strings.SplitSeq(options, ",") {
		switch o {
		case "omitempty":
			f.OmitEmpty = true
		case "omitzero":
			f.OmitZero = true
		}
	}
	switch {
	case name != "":
		f.JSON = name
	case f.Embedded:
		f.Inline = true
	default:
		f.JSON = f.Name
	}
}

// constantText returns a constant's exact value as text.
func constantText(v constant.Value) (text string, isString bool) {
	switch v.Kind() {
	case constant.String:
		return constant.StringVal(v), true
	case constant.Unknown:
		return "", false
	default:
		return v.ExactString(), false
	}
}

func importName(spec *ast.ImportSpec, p *load.Package) (name, path string) {
	path, _ = strconv.Unquote(spec.Path.Value)
	if spec.Name != nil && spec.Name.Name != "." { // markers name a package, also if code need not
		return spec.Name.Name, path
	}
	if p.Types != nil {
		for _, imp := range p.Types.Imports() {
			if imp.Path() == path {
				return imp.Name(), path
			}
		}
	}
	return path[strings.LastIndexByte(path, '/')+1:], path
}

const metaV1 = "k8s.io/apimachinery/pkg/apis/meta/v1"

// kindOf returns what makes a type an API object: TypeMeta inlined, and ObjectMeta or
// ListMeta beside it. A type that is declared from another package's kind is a kind of its package.
func kindOf(m *model.Model, t *model.Type) *model.Kind {
	of := m.Struct(model.Named(t.Package, t.Name))
	if of == nil || t.Def.Kind == model.KindPointer {
		return nil
	}
	var typed, object, list bool
	for _, f := range of.Fields {
		switch f.Type.ID() {
		case model.Name{Package: metaV1, Name: "TypeMeta"}:
			typed = f.Embedded
		case model.Name{Package: metaV1, Name: "ObjectMeta"}:
			object = object || f.JSON == "metadata"
		case model.Name{Package: metaV1, Name: "ListMeta"}:
			list = list || f.JSON == "metadata"
		}
	}
	switch {
	case typed && object:
		return &model.Kind{}
	case typed && list:
		k := &model.Kind{List: true}
		if items := of.Field("Items"); items != nil {
			if u := m.Underlying(items.Type); u.Kind == model.KindSlice {
				k.Item, _ = m.Deref(u.Elem)
			}
		}
		return k
	}
	return nil
}
