package conversion

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/plan"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// value prints the conversion of one value. in and out are addressable expressions.
func (w *writer) value(v *plan.Value, way plan.Way, in, out string, here at) {
	if e, ok := w.expression(v, way, in); ok {
		w.f.P(out, " = ", e)
		return
	}
	if w.castCopy(v, way, in, out) || w.castFlat(v, way, in, out) {
		return
	}
	from, to := v.Ends(way)
	switch v.Kind {
	case plan.Pair:
		t := w.plan.Of(v.Older.ID(), v.Hub.ID())
		if !w.hasFunction(t, way) {
			w.value(t.Value, way, in, out, here)
			return
		}
		if w.castStruct(t, way, address(in), address(out)) {
			return
		}
		if w.declaresCopy(t, way) {
			w.f.P("{")
			defer w.f.P("}")
		}
		w.f.P("if err := ", w.f.Ident(w.older.Path, w.function(t, way)), "(", w.given(t, way, address(in)), ", ", address(out), ", ", w.scope, "); err != nil {")
		w.fails(here)
		w.f.P("}")
	case plan.Same:
		if from.Kind == model.KindNamed && (w.copies(from, in, out) || w.copiesHub(from, in, out)) {
			return
		}
		w.value(v.Shape(w.m), way, in, out, here)
	case plan.Pointer:
		w.pointer(v, way, in, out, here)
	case plan.List:
		w.slice(v, way, in, out, here)
	case plan.Array:
		w.array(v, way, in, out, here)
	case plan.Wrap:
		w.wrapping(v, way, in, out, here)
	case plan.Map:
		w.mapping(v, way, in, out, here)
	default:
		w.impossible(from, to, here)
	}
}

// impossible reports a value that cannot be copied.
func (w *writer) impossible(from, to *model.Ref, here at) {
	what := fmt.Sprintf("%s cannot be converted to %s: their values cannot be copied", from, to)
	if model.SameGo(from, to) {
		what = fmt.Sprintf("a value of type %s cannot be copied", from)
	}
	d := w.c.Diags.Errorf(here.span, codeNoCopy, "%s; give the type a DeepCopyInto method, or use another type", what)
	for _, p := range w.m.Packages {
		for _, t := range p.Types {
			for _, f := range t.Fields {
				if f.Span == here.span {
					d.RestsOn(diag.Meaning(f.TypeSpan)).RestsOn(tag.ChangesOf(f)...) // a function that is missing
				}
			}
		}
	}
}

// copies prints a copy of a value of another package's type. It returns false if
// the type has no method for it.
func (w *writer) copies(r *model.Ref, in, out string) bool {
	t := w.m.Type(r.ID())
	if t == nil {
		return false
	}
	pointer, copies := t.Copies()
	switch kind := w.m.Underlying(r).Kind; {
	case kind == model.KindMap || kind == model.KindSlice:
		return false // DeepCopyInto turns nil into an empty value
	case t.CopiesInto(), t.Package != w.hub.Path && w.copyMethods.Of(t).Into:
		w.f.P(receiver(in), ".DeepCopyInto(", address(out), ")")
	case copies && !pointer:
		w.f.P(out, " = ", receiver(in), ".DeepCopy()")
	case copies:
		w.f.P(out, " = *", receiver(in), ".DeepCopy()")
	default:
		return false
	}
	return true
}

func (w *writer) pointer(v *plan.Value, way plan.Way, in, out string, here at) {
	_, elem := v.Elem.Ends(way)
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = new(", w.f.Type(elem), ")")
	w.value(v.Elem, way, "*"+in, "*"+out, here.inNew())
	w.orNil(out, here)
}

// wrapping prints the conversion of a single value to a list of one item, or of a list to its first
// item.
func (w *writer) wrapping(v *plan.Value, way plan.Way, in, out string, here at) {
	_, to := v.Ends(way)
	pointer := v.Older.Kind == model.KindPointer && !v.Older.Equal(v.Elem.Older)
	if way == plan.Up {
		condition := w.isSet(v.Older, in, v.EmptyIsAbsent)
		if condition != "" {
			w.f.P("if ", condition, " {")
		}
		if pointer {
			in = "*" + in
		}
		if e, ok := w.expression(v.Elem, way, in); ok {
			w.f.P(out, " = ", w.f.Type(to), "{", e, "}")
		} else {
			w.f.P(out, " = make(", w.f.Type(to), ", 1)")
			w.value(v.Elem, way, in, operand(out)+"[0]", here.inNew())
		}
		if condition != "" {
			w.orNil(out, here)
		}
		return
	}
	w.f.P("if len(", in, ") > 0 {")
	result, inner := out, here.index("0")
	if pointer {
		w.f.P(out, " = new(", w.f.Type(v.Older.Elem), ")")
		result, inner = "*"+out, inner.inNew()
	}
	w.value(v.Elem, way, operand(in)+"[0]", result, inner)
	if !here.isNew {
		w.f.P("} else {")
		w.f.P(out, " = ", w.zero(v.Older))
	}
	w.f.P("}")
}

// isSet returns the condition that a value is set; "" if it always is. Empty values are set unless
// emptyIsAbsent.
func (w *writer) isSet(r *model.Ref, in string, emptyIsAbsent bool) string {
	u := w.m.Underlying(r)
	switch {
	case u.Kind == model.KindPointer && emptyIsAbsent && value.HasIsZero(u.Elem):
		return in + " != nil && !" + in + ".IsZero()"
	case u.Kind == model.KindPointer || u.Kind == model.KindInterface:
		return in + " != nil"
	case (u.Kind == model.KindSlice || u.Kind == model.KindMap) && !emptyIsAbsent:
		return in + " != nil"
	case !emptyIsAbsent:
		return ""
	case u.Kind == model.KindSlice || u.Kind == model.KindMap:
		return "len(" + in + ") > 0"
	case u.IsString():
		return in + ` != ""`
	case u.IsBool():
		return in
	case u.IsScalar():
		return in + " != 0"
	}
	return ""
}

// zero returns an expression of a type's zero value.
func (w *writer) zero(r *model.Ref) string {
	switch u := w.m.Underlying(r); {
	case u.IsString():
		return `""`
	case u.IsBool():
		return "false"
	case u.IsScalar():
		return "0"
	case u.Kind == model.KindStruct || u.Kind == model.KindArray || u.Kind == model.KindNamed:
		return w.f.Type(r) + "{}"
	}
	return "nil"
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

func (w *writer) slice(v *plan.Value, way plan.Way, in, out string, here at) {
	_, to := v.Ends(way)
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = make(", w.f.Type(to), ", len(", in, "))")
	w.array(v, way, in, out, here.inNew())
	w.orNil(out, here)
}

func (w *writer) array(v *plan.Value, way plan.Way, in, out string, here at) {
	i := index(w.depth)
	w.f.P("for ", i, " := range ", in, " {")
	w.nested(func() {
		w.value(v.Elem, way, operand(in)+"["+i+"]", operand(out)+"["+i+"]", here.index(i))
	})
	w.f.P("}")
}

func (w *writer) mapping(m *plan.Value, way plan.Way, in, out string, here at) {
	k, v := keyName(w.depth), valueName(w.depth)
	_, to := m.Ends(way)
	fromKey, toKey := m.Key.Ends(way)
	_, elem := m.Elem.Ends(way)
	w.f.P("if ", in, " != nil {")
	w.f.P(out, " = make(", w.f.Type(to), ", len(", in, "))")
	w.f.P("for ", k, ", ", v, " := range ", in, " {")
	w.nested(func() {
		newKey, ok := w.expression(m.Key, way, k)
		if !ok {
			w.impossible(fromKey, toKey, here)
			return
		}
		if e, ok := w.expression(m.Elem, way, v); ok {
			w.f.P(operand(out), "[", newKey, "] = ", e)
			return
		}
		converted := "new" + strings.ToUpper(v[:1]) + v[1:]
		w.f.P("var ", converted, " ", w.f.Type(elem))
		w.value(m.Elem, way, v, converted, here.key(w.keyText(fromKey, k)).inNew())
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

// dereference returns what a pointer points to.
func dereference(e string) string {
	if value, ok := strings.CutPrefix(e, "&"); ok {
		return value
	}
	return "*" + e
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
