package deepcopy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// place is a node of the source that diagnostics refer to.
type place struct {
	span source.Span
	what string
}

// nesting is the position in a type expression.
type nesting struct {
	// fresh means that the destination is a zero value and not a shallow copy.
	fresh bool
	// loops is the number of enclosing loops; names is the number of expanded
	// declared types.
	loops, names int
}

func (n nesting) behindPointer() nesting { return nesting{true, n.loops, n.names} }
func (n nesting) insideLoop() nesting    { return nesting{true, n.loops + 1, n.names} }
func (n nesting) insideName() nesting    { return nesting{n.fresh, n.loops, n.names + 1} }

// copy prints statements that make dst a deep copy of src, both addressable
// values of type r.
func (w *writer) copy(dst, src string, r *model.Ref, at nesting) {
	if expr, ok := w.clone(src, r); ok {
		if expr != src || at.fresh {
			w.f.P(dst, " = ", expr)
		}
		return
	}
	if r.Kind == model.KindNamed {
		w.copyNamed(dst, src, r, at)
		return
	}
	w.shape(dst, src, r, r, at)
}

// clone returns an expression that is a deep copy of src, if one exists.
func (w *writer) clone(src string, r *model.Ref) (string, bool) {
	if w.types.shallow(r) {
		return src, true
	}
	switch r.Kind {
	case model.KindNamed:
		t := w.c.Model.Type(r.ID())
		if t == nil {
			return "", false
		}
		methods := w.types.Of(t)
		if methods.Copy && !methods.Pointer {
			return receiver(src) + ".DeepCopy()", true
		}
		if !methods.Copy && !methods.Into && !t.IsStruct() {
			return w.clone(w.unnamed(src, t), t.Def.Substitute(w.c.Model.Params(r)))
		}
	case model.KindPointer:
		t := w.c.Model.Type(r.Elem.ID())
		if t == nil || w.types.shallow(r.Elem) && !w.types.Of(t).NilSafe {
			return "", false
		}
		if methods := w.types.Of(t); methods.Pointer && methods.NilSafe {
			return gofile.Operand(src) + ".DeepCopy()", true
		}
	case model.KindSlice:
		if w.types.shallow(r.Elem) {
			return w.f.Ident("slices", "Clone") + "(" + src + ")", true
		}
	case model.KindMap:
		if w.types.shallow(r.Elem) {
			return w.f.Ident("maps", "Clone") + "(" + src + ")", true
		}
	}
	return "", false
}

// copyNamed prints the copy of a value of a declared type that has no clone
// expression.
func (w *writer) copyNamed(dst, src string, r *model.Ref, at nesting) {
	t := w.c.Model.Type(r.ID())
	if t == nil {
		w.unknown(r)
		return
	}
	methods := w.types.Of(t)
	u := w.c.Model.Underlying(r)
	switch {
	case methods.Into && u.Kind == model.KindMap, methods.Into && u.Kind == model.KindSlice:
		w.f.Block("if "+src+" != nil {", func() {
			w.f.P(receiver(src), ".DeepCopyInto(", address(dst), ")")
		})
	case methods.Into:
		w.f.P(receiver(src), ".DeepCopyInto(", address(dst), ")")
	case methods.Copy:
		w.f.P(dst, " = *", receiver(src), ".DeepCopy()")
	case w.instanced(t):
		w.f.P(w.instance(r), "(", address(src), ", ", address(dst), ")")
	case t.IsStruct():
		w.noMethod(r, t)
	case at.names > 16:
		w.errorf(codeRecursive, "%s has the recursive type %s; write its DeepCopyInto method, or generate for its package", w.at.what, r)
	case t.Def.Kind == model.KindNamed && w.hasInto(t.Def):
		base := w.f.Type(t.Def)
		w.f.P("(*", base, ")(", address(src), ").DeepCopyInto((*", base, ")(", address(dst), "))")
	case u.Kind == model.KindInterface:
		w.copyInterface(dst, src, t)
	default:
		w.shape(dst, w.unnamed(src, t), r, u, at.insideName())
	}
}

// instanced reports whether functions copy the instances of a type: it is a struct of the package without methods, which is
// generic or has methods of these names with other signatures.
func (w *writer) instanced(t *model.Type) bool {
	methods := w.types.Of(t)
	return t.IsStruct() && t.Package == w.c.Package.Path && !methods.Into && !methods.Copy && (t.Generic || w.types.Generated(w.c.Package)[t])
}

// instance returns the name of the function that copies an instance of a generic struct of the package, which has no
// methods, and notes that it is needed.
func (w *writer) instance(r *model.Ref) string {
	if i := slices.IndexFunc(w.instances, func(known instance) bool { return known.ref.Equal(r) }); i >= 0 {
		return w.instances[i].function
	}
	base := "deepCopy_" + r.Identifier()
	name := base
	for n := 2; w.c.Package.Decls[name] || slices.ContainsFunc(w.instances, func(known instance) bool { return known.function == name }); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	w.instances = append(w.instances, instance{name, r})
	return name
}

// copyInstances prints the functions that copy instances.
func (w *writer) copyInstances() {
	for i := 0; i < len(w.instances); i++ { // a function may need others
		r := w.instances[i].ref
		typ := w.f.Type(r)
		w.f.P("// ", w.instances[i].function, " copies in into out. The two share no memory afterwards.")
		w.f.Block("func "+w.instances[i].function+"(in, out *"+typ+") {", func() {
			w.f.P("*out = *in")
			w.copyFields(w.c.Model.Type(r.ID()), w.c.Model.Params(r))
		})
		w.f.P()
	}
}

// unnamed converts a pointer of a declared type to an undeclared one, because
// declared pointer types have no methods.
func (w *writer) unnamed(src string, t *model.Type) string {
	if t.Def.Kind != model.KindPointer {
		return src
	}
	return "(" + w.f.Type(t.Def) + ")(" + src + ")"
}

func (w *writer) hasInto(r *model.Ref) bool {
	t := w.c.Model.Type(r.ID())
	return t != nil && w.types.Of(t).Into
}

// shape prints the copy of a value by its underlying type u.
func (w *writer) shape(dst, src string, r, u *model.Ref, at nesting) {
	switch u.Kind {
	case model.KindPointer:
		w.copyPointer(dst, src, u.Elem, at)
	case model.KindSlice:
		w.f.Block("if "+src+" != nil {", func() {
			w.f.P(dst, " = make(", w.f.Type(r), ", len(", src, "))")
			w.copyItems(dst, src, u.Elem, at)
		})
	case model.KindArray:
		w.copyItems(dst, src, u.Elem, at)
	case model.KindMap:
		w.f.Block("if "+src+" != nil {", func() {
			w.f.P(dst, " = make(", w.f.Type(r), ", len(", src, "))")
			w.copyEntries(dst, src, u.Elem, at)
		})
	case model.KindInterface:
		w.errorf(codeInterface,
			"%s contains %s, which cannot be copied; use runtime.RawExtension, apiextensionsv1.JSON or a type with a DeepCopyInto method", w.at.what, anyName(u))
	case model.KindFunc, model.KindChan:
		w.errorf(codeNotData, "%s contains %s, which is not data and cannot be copied; remove it from the API type, or write DeepCopyInto by hand", w.at.what, english.A(string(u.Kind)))
	case model.KindBuiltin:
		w.errorf(codeNotData, "%s contains %s, which cannot be copied", w.at.what, english.A(u.Name))
	case model.KindStruct:
		w.noMethod(r, w.c.Model.Type(r.ID()))
	case model.KindNamed:
		w.unknown(u)
	}
}

func anyName(u *model.Ref) string {
	if u.Name != "" {
		return u.Name
	}
	return "an interface"
}

func (w *writer) copyPointer(dst, src string, elem *model.Ref, at nesting) {
	w.f.P("if ", src, " != nil {")
	defer w.f.P("}")
	if t := w.c.Model.Type(elem.ID()); t != nil && !w.types.shallow(elem) {
		switch methods := w.types.Of(t); {
		case methods.Copy && methods.Pointer:
			w.f.P(dst, " = ", gofile.Operand(src), ".DeepCopy()")
			return
		case methods.Into && !w.types.ByValue(t):
			w.f.P(dst, " = new(", w.f.Type(elem), ")")
			w.f.P(gofile.Operand(src), ".DeepCopyInto(", dst, ")")
			return
		case methods.Copy && !methods.Into:
			copied := w.c.Local("copied", at.loops)
			w.f.P(copied, " := ", gofile.Operand(src), ".DeepCopy()")
			w.f.P(dst, " = &", copied)
			return
		}
	}
	w.f.P(dst, " = new(", w.f.Type(elem), ")")
	w.copy("*"+dst, "*"+src, elem, at.behindPointer())
}

func (w *writer) copyItems(dst, src string, elem *model.Ref, at nesting) {
	i := w.c.Local("i", at.loops)
	w.f.Block("for "+i+" := range "+src+" {", func() {
		w.copy(gofile.Operand(dst)+"["+i+"]", gofile.Operand(src)+"["+i+"]", elem, at.insideLoop())
	})
}

func (w *writer) copyEntries(dst, src string, elem *model.Ref, at nesting) {
	key, value := w.c.Local("key", at.loops), w.c.Local("value", at.loops)
	w.f.Block("for "+key+", "+value+" := range "+src+" {", func() {
		if expr, ok := w.cloneValue(value, elem); ok {
			w.f.P(gofile.Operand(dst), "[", key, "] = ", expr)
		} else {
			copied := w.c.Local("copied", at.loops)
			w.f.P("var ", copied, " ", w.f.Type(elem))
			w.copy(copied, value, elem, at.insideLoop())
			w.f.P(gofile.Operand(dst), "[", key, "] = ", copied)
		}
	})
}

// cloneValue is like clone, for a value that is copied to a destination without an
// address.
func (w *writer) cloneValue(src string, r *model.Ref) (string, bool) {
	if expr, ok := w.clone(src, r); ok {
		return expr, true
	}
	if t := w.c.Model.Type(r.ID()); t != nil {
		if methods := w.types.Of(t); methods.Copy && methods.Pointer {
			return "*" + receiver(src) + ".DeepCopy()", true
		}
	}
	return "", false
}

// copyInterface prints the copy of an interface by its DeepCopy<Name> method.
func (w *writer) copyInterface(dst, src string, t *model.Type) {
	method := "DeepCopy" + t.Name
	isObject := t.Package+"."+t.Name == "k8s.io/apimachinery/pkg/runtime.Object"
	if t.Methods[method] == nil && !isObject {
		w.errorf(codeInterface,
			"%s contains the interface %s, which has no method %s() %s; add it, or use runtime.RawExtension", w.at.what, t.Name, method, t.Name)
		return
	}
	w.f.Block("if "+src+" != nil {", func() {
		w.f.P(dst, " = ", gofile.Operand(src), ".", method, "()")
	})
}

func (w *writer) unknown(r *model.Ref) {
	w.errorf(codeUnknownType, "%s has type %s, whose declaration is not in the build, so it cannot be copied", w.at.what, r)
}

// noMethod reports a struct that holds references and has no DeepCopyInto.
func (w *writer) noMethod(r *model.Ref, t *model.Type) {
	p := w.c.Model.Package(t.Package)
	switch {
	case t.Generic:
		w.errorf(codeNoMethod, "%s has the generic type %s, which gets no generated DeepCopyInto; write it by hand for %s", w.at.what, r, t.Name)
	case p != nil && (p.Root || p.Generated):
		w.errorf(codeNoMethod, "%s has type %s, which has no DeepCopyInto method and is excluded from generation; include it with +kubebuilder:object:generate=true, or write DeepCopyInto by hand", w.at.what, r)
	default:
		w.errorf(codeNoMethod, "%s has type %s of another package, which contains references and has no DeepCopyInto method; generate for that package too, or wrap it in a type with a hand-written DeepCopyInto", w.at.what, r)
	}
}

func (w *writer) errorf(code diag.Code, format string, args ...any) {
	w.c.Diags.Errorf(w.at.span, code, format, args...).Voids(diag.Meaning(w.at.span))
}

// receiver returns the receiver for a method call on the expression's value. Go
// dereferences one pointer.
func receiver(expr string) string { return gofile.Operand(strings.TrimPrefix(expr, "*")) }

// address returns a pointer to the expression's value.
func address(expr string) string {
	if pointer, ok := strings.CutPrefix(expr, "*"); ok {
		return pointer
	}
	return "&" + expr
}
