package validation

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/fixpoint"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// equals writes semantic comparisons: nil and empty lists and maps are equal, and quantities and
// times are compared by value. Structs that == does not compare semantically get a function each.
type equals struct {
	g     *generator
	done  map[string]bool // by function name
	queue []equalFunc
	// of is the struct whose function is being written, if any.
	of *model.Ref
	// open are the declared types whose expression is being written, to detect recursive lists and
	// maps.
	open map[model.Name]bool
	// incomparable has the answers of comparable, inverted.
	incomparable fixpoint.Question[model.Name]
}

// equalFunc is a function to write.
type equalFunc struct {
	name string
	typ  *model.Ref
}

// special are the types that are compared by value, with the comparing functions.
var special = map[model.Name]string{
	model.Quantity:     "Quantity",
	model.Time:         "Time",
	model.MicroTime:    "MicroTime",
	model.FieldsV1:     "FieldsV1",
	model.RawExtension: "RawExtension",
}

// not returns an expression that is true if two values differ.
func (q *equals) not(t *model.Ref, x, y goexpr.Expr) goexpr.Expr { return goexpr.Not(q.expr(t, x, y)) }

// expr returns an expression that is true if two addressable values are equal.
func (q *equals) expr(t *model.Ref, x, y goexpr.Expr) goexpr.Expr {
	m := q.g.m
	if q.comparable(t) {
		return goexpr.Eq(x, y)
	}
	equality := func(name string, args ...goexpr.Expr) goexpr.Expr {
		return goexpr.Call(q.g.file.Ident(gofile.RuntimeEquality, name), args...)
	}
	if fn, ok := q.structFunc(t); ok {
		return goexpr.Call(fn, goexpr.Addr(x), goexpr.Addr(y))
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
		if q.comparable(u.Elem) {
			return equality("PtrComparable", x, y)
		}
		return equality("Ptr", x, y, q.fn(u.Elem))
	case model.KindSlice:
		if u.IsBytes() {
			return equality("Bytes", x, y)
		}
		if q.comparable(u.Elem) {
			return equality("SliceComparable", x, y)
		}
		return equality("Slice", x, y, q.fn(u.Elem))
	case model.KindMap:
		if q.comparable(u.Elem) {
			return equality("MapComparable", x, y)
		}
		return equality("Map", x, y, q.fn(u.Elem))
	}
	return equality("Semantic", x, y)
}

// comparable reports whether values of a type can be compared with == and the comparison means what people expect:
// pointers and interfaces do not count.
func (q *equals) comparable(r *model.Ref) bool {
	switch r.Kind {
	case model.KindBuiltin:
		return r.IsScalar()
	case model.KindArray:
		return q.comparable(r.Elem)
	case model.KindNamed:
		return !q.incomparable.Ask(r.ID(), func() bool {
			t := q.g.m.Type(r.ID())
			if t == nil || t.Generic {
				return true
			}
			if !t.IsStruct() {
				return !q.comparable(t.Def)
			}
			return slices.ContainsFunc(t.Fields, func(f *model.Field) bool { return !q.comparable(f.Type) })
		})
	}
	return false
}

// structFunc returns the function that compares structs of a declared type.
func (q *equals) structFunc(t *model.Ref) (string, bool) {
	if t.Kind != model.KindNamed || len(t.Args) > 0 {
		return "", false
	}
	if fn, ok := special[t.ID()]; ok {
		return q.g.file.Ident(gofile.RuntimeEquality, fn), true
	}
	if q.base(t) != nil {
		return q.ask(t), true
	}
	st := q.g.m.Type(t.ID())
	if st == nil || q.g.m.Underlying(t).Kind != model.KindStruct || !q.visible(q.g.m.Struct(t)) {
		return "", false
	}
	return q.ask(t), true
}

// base returns the type in special that a type is declared from, nil if there is none.
func (q *equals) base(t *model.Ref) *model.Type {
	_, chain := q.g.m.Resolve(t)
	for _, from := range chain {
		if _, ok := special[from.ID()]; ok {
			return from
		}
	}
	return nil
}

// ask returns the name of the function that compares values of a type, and queues the function.
func (q *equals) ask(t *model.Ref) string {
	name := "equal" + typeWord(q.g, t)
	if !q.done[name] {
		q.done[name] = true
		q.queue = append(q.queue, equalFunc{name, t})
	}
	return name
}

// visible reports whether generated code can access all fields of a struct.
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
func (q *equals) fn(t *model.Ref) goexpr.Expr {
	if fn, ok := q.structFunc(t); ok {
		return goexpr.Raw(fn)
	}
	if q.g.m.Underlying(t).Kind == model.KindMap && q.of != nil && q.holds(t, q.of, map[model.Name]bool{}) {
		// A comparison of maps in a function that compares the maps' values would allocate copies
		// of values on the heap.
		return goexpr.Raw(q.ask(t))
	}
	return goexpr.Literal{Signature: "func(a, b *" + q.g.file.Type(t) + ") bool", Result: q.expr(t, pointedA, pointedB)}
}

// The values of the parameters of comparing functions.
var pointedA, pointedB = goexpr.Star(goexpr.Raw("a")), goexpr.Star(goexpr.Raw("b"))

// holds reports whether values of a type can contain values of a declared type.
func (q *equals) holds(t, declared *model.Ref, seen map[model.Name]bool) bool {
	for t.Elem != nil {
		t = t.Elem
	}
	st := q.g.m.Type(t.ID())
	switch {
	case t.ID() == declared.ID():
		return true
	case st == nil || seen[t.ID()]:
		return false
	}
	seen[t.ID()] = true
	return q.holds(st.Def, declared, seen) || slices.ContainsFunc(st.Fields, func(f *model.Field) bool { return q.holds(f.Type, declared, seen) })
}

// write writes the queued functions and those that they need. The compiler must not inline
// functions that compare maps; see fn.
func (q *equals) write() {
	for len(q.queue) > 0 {
		f := q.queue[0]
		q.queue = q.queue[1:]
		parts := []goexpr.Expr{goexpr.True}
		if base := q.base(f.typ); base != nil {
			convert := "(*" + q.g.file.Ident(base.Package, base.Name) + ")"
			compare := q.g.file.Ident(gofile.RuntimeEquality, special[base.ID()])
			parts = append(parts, goexpr.Call(compare, goexpr.Call(convert, goexpr.Raw("a")), goexpr.Call(convert, goexpr.Raw("b"))))
		} else if st := q.g.m.Instance(f.typ); st == nil {
			parts = []goexpr.Expr{q.expr(f.typ, pointedA, pointedB)}
			q.g.file.P("//go:noinline")
		} else {
			parts = append(parts, q.fields(f.typ, st)...)
		}
		q.g.file.Block("func "+f.name+"(a, b *"+q.g.file.Type(f.typ)+") bool {", func() {
			q.g.file.P("return ", goexpr.String(goexpr.AndLines(parts...)))
		})
		q.g.file.P()
	}
}

// fields returns expressions that are all true if two structs are equal.
func (q *equals) fields(t *model.Ref, st *model.Type) []goexpr.Expr {
	q.of = t
	defer func() { q.of = nil }()
	var parts []goexpr.Expr
	for _, f := range st.Fields {
		if f.Name != "_" {
			parts = append(parts, q.expr(f.Type, goexpr.Sel(pointedA, f.Name), goexpr.Sel(pointedB, f.Name)))
		}
	}
	return parts
}
