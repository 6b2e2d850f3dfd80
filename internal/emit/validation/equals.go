package validation

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// equals writes comparisons by meaning: nil and empty lists and maps are equal,
// quantities and times compare by value. Structs that == cannot compare like
// that get a function each.
type equals struct {
	g     *generator
	done  map[model.Name]bool
	queue []*model.Type
	// open are declared types whose expression is being written: of a list or
	// map of itself there is no end.
	open map[model.Name]bool
}

// special are the types that compare by value, with the function that does.
var special = map[model.Name]string{
	{Package: "k8s.io/apimachinery/pkg/api/resource", Name: "Quantity"}:  "Quantity",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "Time"}:      "Time",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "MicroTime"}: "MicroTime",
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "FieldsV1"}:  "FieldsV1",
	{Package: "k8s.io/apimachinery/pkg/runtime", Name: "RawExtension"}:   "RawExtension",
}

// not returns an expression that holds when two values differ.
func (q *equals) not(t *model.Ref, x, y string) string {
	if q.g.c.Model.Comparable(t) {
		return x + " != " + y
	}
	return "!" + q.expr(t, x, y)
}

// expr returns an expression that holds when two values are equal. x and y must
// be addressable, or spelt as what a pointer points to.
func (q *equals) expr(t *model.Ref, x, y string) string {
	m := q.g.c.Model
	if m.Comparable(t) {
		return x + " == " + y
	}
	equality := func(name string, args ...string) string {
		return q.g.file.Ident(equalityPkg, name) + "(" + strings.Join(args, ", ") + ")"
	}
	if fn, ok := q.structFunc(t); ok {
		return fn + "(" + address(x) + ", " + address(y) + ")"
	}
	if t.Kind == model.KindNamed {
		if q.open[t.ID()] {
			return equality("Semantic", x, y)
		}
		q.open[t.ID()] = true
		defer delete(q.open, t.ID())
	}
	u := m.Underlying(t)
	switch u.Kind {
	case model.KindPointer:
		if m.Comparable(u.Elem) {
			return equality("PtrComparable", x, y)
		}
		return equality("Ptr", x, y, q.fn(u.Elem))
	case model.KindSlice:
		if u.IsBytes() {
			return equality("Bytes", x, y)
		}
		if m.Comparable(u.Elem) {
			return equality("SliceComparable", x, y)
		}
		return equality("Slice", x, y, q.fn(u.Elem))
	case model.KindMap:
		if m.Comparable(u.Elem) {
			return equality("MapComparable", x, y)
		}
		return equality("Map", x, y, q.fn(u.Elem))
	}
	return equality("Semantic", x, y)
}

// structFunc returns the function that compares structs of a declared type.
func (q *equals) structFunc(t *model.Ref) (string, bool) {
	if t.Kind != model.KindNamed || len(t.Args) > 0 {
		return "", false
	}
	if fn, ok := special[t.ID()]; ok {
		return q.g.file.Ident(equalityPkg, fn), true
	}
	st := q.g.c.Model.Type(t.ID())
	if st == nil || q.g.c.Model.Underlying(t).Kind != model.KindStruct || !q.visible(q.g.c.Model.Struct(t)) {
		return "", false
	}
	if !q.done[st.ID()] {
		q.done[st.ID()] = true
		q.queue = append(q.queue, st)
	}
	return "equal" + typeWord(q.g, t), true
}

// visible reports whether generated code can see all fields of a struct.
func (q *equals) visible(t *model.Type) bool {
	if t.Package == q.g.c.Package.Path {
		return true
	}
	for _, f := range t.Fields {
		if !f.Exported() {
			return false
		}
	}
	return len(t.Fields) > 0
}

// fn returns a function of type func(a, b *T) bool.
func (q *equals) fn(t *model.Ref) string {
	if fn, ok := q.structFunc(t); ok {
		return fn
	}
	typ := q.g.file.Type(t)
	return "func(a, b *" + typ + ") bool { return " + q.expr(t, "*a", "*b") + " }"
}

// write writes the functions that were asked for, and those that they need.
func (q *equals) write() {
	for len(q.queue) > 0 {
		t := q.queue[0]
		q.queue = q.queue[1:]
		ref := model.Named(t.Package, t.Name)
		var parts []string
		for _, f := range q.g.c.Model.Struct(ref).Fields {
			if f.Name == "_" {
				continue
			}
			parts = append(parts, q.expr(f.Type, "a."+f.Name, "b."+f.Name))
		}
		if len(parts) == 0 {
			parts = []string{"true"}
		}
		q.g.file.P("func equal", typeWord(q.g, ref), "(a, b *", q.g.file.Type(ref), ") bool {")
		q.g.file.P("return ", strings.Join(parts, " &&\n"))
		q.g.file.P("}")
		q.g.file.P()
	}
}

// address spells a pointer to a value.
func address(x string) string {
	if rest, ok := strings.CutPrefix(x, "*"); ok {
		return rest
	}
	return "&" + x
}
