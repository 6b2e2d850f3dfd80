package golang

import (
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// A CEL value is a list of alternatives in Go, of which at most one applies. If none does, the
// evaluation failed. That covers what may fail (one alternative, under a condition), x ? y : z, the
// values of optionals, and values whose type is known at run time only.
type value []alternative

type alternative struct {
	// when is the condition under which this is the value.
	when goexpr.Expr
	kind expr.Kind
	// code is a Go expression, and goType the type that it has: nil means the type
	// that values of the kind have in CEL.
	code   goexpr.Expr
	goType *model.Ref
	// typ is the CEL type of the Go type.
	typ *expr.Type
	// constant is the value of a literal.
	constant any
	// bits bound an integer: its absolute value is less than 1<<bits.
	bits int
	// list is set on a list, and fields on a map literal.
	list *list
	// some is the value of an optional, nil for none.
	some value
	// is is the type that a value of kind type represents, format the name of a format.
	is     expr.Kind
	format string
	// text marks the JSON form of a value that is not a string in Go: the value of a
	// quantity or duration, before it is printed.
	text expr.Kind
	// boolean is a bool: the condition, not code.
	boolean goexpr.Expr
}

// tri is a bool of CEL: the conditions under which it is true, and false. If neither
// is true, the evaluation failed.
type tri struct{ yes, no goexpr.Expr }

func known(c goexpr.Expr) tri { return tri{c, goexpr.Not(c)} }

func (t tri) ok() goexpr.Expr {
	if goexpr.Same(t.no, goexpr.Not(t.yes)) {
		return goexpr.True
	}
	return goexpr.Merge(goexpr.Or(t.yes, t.no))
}

// value returns the bool as a value.
func (t tri) value() value {
	return value{{when: t.ok(), kind: expr.BoolKind, boolean: t.yes}}
}

// truth returns a value as a bool. Alternatives that are not bools fail.
func (v value) truth() tri {
	var yes, no []goexpr.Expr
	for _, a := range v {
		if a.kind != expr.BoolKind {
			continue
		}
		c := a.boolean
		switch {
		case c != nil:
		case a.constant != nil:
			c = goexpr.Bool(a.constant.(bool))
		default:
			c = a.code
		}
		yes = append(yes, goexpr.And(a.when, c))
		no = append(no, goexpr.And(a.when, goexpr.Not(c)))
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// ok is the condition under which there is a value.
func (v value) ok() goexpr.Expr {
	var list []goexpr.Expr
	for _, a := range v {
		list = append(list, a.when)
	}
	return goexpr.Or(list...)
}

// under adds a condition to all alternatives.
func (v value) under(c goexpr.Expr) value {
	out := make(value, 0, len(v))
	for _, a := range v {
		a.when = goexpr.And(c, a.when)
		if a.when != goexpr.Expr(goexpr.False) {
			out = append(out, a)
		}
	}
	return out
}

// integerBits are the sizes of Go's integers.
var integerBits = map[string]int{
	"int8": 7, "int16": 15, "int32": 31, "rune": 31, "int64": 63, "int": 63, "uint8": 8, "byte": 8, "uint16": 16, "uint32": 32, "uint64": 64, "uint": 64, "uintptr": 64,
}

func constantOf(v any) alternative {
	a := alternative{when: goexpr.True, constant: v}
	switch v := v.(type) {
	case nil:
		a.kind = expr.NullKind
	case bool:
		a.kind, a.boolean = expr.BoolKind, goexpr.Bool(v)
	case int64:
		a.kind, a.code, a.bits = expr.IntKind, goexpr.Raw(strconv.FormatInt(v, 10)), bitsOf(v)
	case float64:
		a.kind, a.code = expr.DoubleKind, goexpr.Raw(doubleText(v))
	case string:
		a.kind, a.code = expr.StringKind, goexpr.Raw(strconv.Quote(v))
	default:
		a.kind = expr.DynKind
	}
	return a
}

func bitsOf(v int64) int {
	bits := 0
	if v < 0 {
		v = -(v + 1)
	}
	for ; v > 0; v >>= 1 {
		bits++
	}
	return bits
}

// list is a sequence of values: the items of a slice, the keys of a map or the
// items of a literal, of which filters drop some and maps change the rest.
type list struct {
	// code is a slice, or, with keys, a map whose keys are the values; goType is its type.
	code   goexpr.Expr
	goType *model.Ref
	keys   bool
	// elem is the Go type of the items or keys, typ what rules see of it.
	elem    *model.Ref
	typ     *expr.Type
	items   []value
	literal bool
	// values are those of a map that is written out, whose keys are the items; nil for any other.
	values []value
	// mayRepeat is set if two keys of such a map may be equal.
	mayRepeat bool
	steps     []step
}

// step is a filter or a map of a comprehension.
type step struct {
	filter func(value) tri
	change func(value) value
}

func (l *list) with(s step) *list {
	out := *l
	out.steps = append(append([]step{}, l.steps...), s)
	return &out
}

// changed returns a value of the source of a list that has only maps as the list has it.
func (l *list) changed(v value) value {
	for _, s := range l.steps {
		v = s.change(v)
	}
	return v
}

func mapsOnly(l *list) bool {
	for _, s := range l.steps {
		if s.filter != nil {
			return false
		}
	}
	return true
}
