package conversion

import (
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// value prints the conversion of one value. in and out are addressable expressions.
func (w *writer) value(from, to *model.Ref, in, out string, here at) {
	if e, ok := w.expression(from, to, in); ok {
		w.f.P(out, " = ", e)
		return
	}
	if p, d, ok := w.pairOf(from, to); ok {
		if w.hasFunction(p, d) {
			w.f.P("if err := ", w.function(p, d), "(", address(in), ", ", address(out), ", s); err != nil {")
			w.f.P("return ", w.wrap(here, "err"))
			w.f.P("}")
			return
		}
		from, to = p.older.Def, p.hub.Def
		if d == down {
			from, to = to, from
		}
	}
	if from.Kind == model.KindNamed && from.Equal(to) && w.copies(from, in, out) {
		return
	}
	a, b := w.m.Underlying(from), w.m.Underlying(to)
	if a.Kind != b.Kind {
		w.impossible(from, to, here)
		return
	}
	switch a.Kind {
	case model.KindPointer:
		w.pointer(a, b, in, out, here)
	case model.KindSlice:
		w.slice(a, b, to, in, out, here)
	case model.KindArray:
		w.array(a, b, in, out, here)
	case model.KindMap:
		w.mapping(a, b, to, in, out, here)
	default:
		w.impossible(from, to, here)
	}
}

// impossible reports a value that cannot be copied.
func (w *writer) impossible(from, to *model.Ref, here at) {
	w.c.Diags.Errorf(here.span, codeNoCopy, "%s cannot be converted to %s: their values cannot be copied; give the type a DeepCopyInto method, or use another type",
		from, to)
}

// copies prints a copy of a value of another package's type. It returns false if
// the type has no method for it.
func (w *writer) copies(r *model.Ref, in, out string) bool {
	t := w.m.Type(r.ID())
	if t == nil {
		return false
	}
	into, deep := t.Methods["DeepCopyInto"], t.Methods["DeepCopy"]
	switch kind := w.m.Underlying(r).Kind; {
	case kind == model.KindMap || kind == model.KindSlice:
		return false // DeepCopyInto turns nil into an empty value
	case into != nil:
		w.f.P(receiver(in), ".DeepCopyInto(", address(out), ")")
	case deep != nil && !deep.Pointer:
		w.f.P(out, " = ", receiver(in), ".DeepCopy()")
	case deep != nil:
		w.f.P(out, " = *", receiver(in), ".DeepCopy()")
	default:
		return false
	}
	return true
}

func (w *writer) pointer(a, b *model.Ref, in, out string, here at) {
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = new(", w.f.Type(b.Elem), ")")
	w.value(a.Elem, b.Elem, "*"+in, "*"+out, here.inNew())
	w.orNil(out, here)
}

// orNil completes the conversion of a value that may be nil. New variables are
// already nil.
func (w *writer) orNil(out string, here at) {
	if !here.isNew {
		w.f.P("} else {")
		w.f.P(out, " = nil")
	}
	w.f.P("}")
}

func (w *writer) slice(a, b, to *model.Ref, in, out string, here at) {
	i := index(w.depth)
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = make(", w.f.Type(to), ", len(", in, "))")
	w.f.P("for ", i, " := range ", in, " {")
	w.nested(func() {
		w.value(a.Elem, b.Elem, operand(in)+"["+i+"]", operand(out)+"["+i+"]", here.index(i).inNew())
	})
	w.f.P("}")
	w.orNil(out, here)
}

func (w *writer) array(a, b *model.Ref, in, out string, here at) {
	i := index(w.depth)
	w.f.P("for ", i, " := range ", in, " {")
	w.nested(func() {
		w.value(a.Elem, b.Elem, operand(in)+"["+i+"]", operand(out)+"["+i+"]", here.index(i))
	})
	w.f.P("}")
}

func (w *writer) mapping(a, b, to *model.Ref, in, out string, here at) {
	k, v := keyName(w.depth), valueName(w.depth)
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = make(", w.f.Type(to), ", len(", in, "))")
	w.f.P("for ", k, ", ", v, " := range ", in, " {")
	w.nested(func() {
		newKey, ok := w.expression(a.Key, b.Key, k)
		if !ok {
			w.impossible(a.Key, b.Key, here)
			return
		}
		if e, ok := w.expression(a.Elem, b.Elem, v); ok {
			w.f.P(operand(out), "[", newKey, "] = ", e)
			return
		}
		converted := "new" + strings.ToUpper(v[:1]) + v[1:]
		w.f.P("var ", converted, " ", w.f.Type(b.Elem))
		w.value(a.Elem, b.Elem, v, converted, here.key(w.keyText(a.Key, k)).inNew())
		w.f.P(operand(out), "[", newKey, "] = ", converted)
	})
	w.f.P("}")
	w.orNil(out, here)
}

// keyText returns an expression of a map key as a string.
func (w *writer) keyText(r *model.Ref, k string) string {
	switch {
	case r.IsString():
		return k
	case w.m.Underlying(r).IsString():
		return "string(" + k + ")"
	}
	return w.f.Ident("fmt", "Sprint") + "(" + k + ")"
}

// nested prints the body of a loop, whose variables are then in use.
func (w *writer) nested(print func()) {
	w.depth++
	print()
	w.depth--
}

func index(depth int) string {
	if depth < 3 {
		return string("ijk"[depth])
	}
	return "i" + strconv.Itoa(depth)
}

func keyName(depth int) string   { return numbered("key", depth) }
func valueName(depth int) string { return numbered("value", depth) }

func numbered(name string, depth int) string {
	if depth == 0 {
		return name
	}
	return name + strconv.Itoa(depth+1)
}

// address returns &e; for *p it returns p.
func address(e string) string {
	if pointer, ok := strings.CutPrefix(e, "*"); ok {
		return pointer
	}
	return "&" + e
}

// operand returns e as the operand of a selector or index.
func operand(e string) string {
	if strings.HasPrefix(e, "*") {
		return "(" + e + ")"
	}
	return e
}

// receiver returns e as the receiver of a method call. Go dereferences pointers.
func receiver(e string) string {
	if pointer, ok := strings.CutPrefix(e, "*"); ok && !strings.HasPrefix(pointer, "*") {
		return pointer
	}
	return operand(e)
}
