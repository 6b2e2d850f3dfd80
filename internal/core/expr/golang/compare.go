package golang

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
)

// plainTypes are the Go types that values of a kind have in CEL.
var plainTypes = map[expr.Kind]string{
	expr.StringKind: "string", expr.IntKind: "int64", expr.DoubleKind: "float64", expr.BoolKind: "bool",
}

// plain returns code for a value in the Go type of its kind.
func (p *printer) plain(a alternative) goexpr.Expr {
	if a.boolean != nil {
		return a.boolean
	}
	want := plainTypes[a.kind]
	if a.goType == nil || want == "" || a.goType.Kind == model.KindBuiltin && a.goType.Name == want {
		return a.code
	}
	return convert(want, a.code)
}

// pair returns code for two values of a kind, in one Go type.
func (p *printer) pair(a, b alternative) (x, y goexpr.Expr) {
	if a.goType != nil && b.goType != nil && a.goType.Equal(b.goType) || p.fits(a, b) || p.fits(b, a) {
		return a.code, b.code
	}
	return p.plain(a), p.plain(b)
}

// fits reports whether a is a constant of b's Go type.
func (p *printer) fits(a, b alternative) bool {
	if a.constant == nil || b.constant != nil {
		return false
	}
	i, ok := a.constant.(int64)
	if !ok || b.goType == nil {
		return true
	}
	lo, hi, ok := p.Model.Underlying(b.goType).IntRange()
	if !ok {
		return false
	}
	least, err := strconv.ParseInt(lo, 10, 64)
	most, err2 := strconv.ParseUint(hi, 10, 64)
	return err == nil && err2 == nil && i >= least && (i < 0 || uint64(i) <= most)
}

// orders are the operators that compare.
var orders = map[string]string{expr.OpLt: "<", expr.OpLe: "<=", expr.OpGt: ">", expr.OpGe: ">="}

// order prints x < y and the like.
func (p *printer) order(e *expr.Call) tri {
	op := orders[e.Func]
	return p.pairs(e, func(a, b alternative) *tri {
		switch {
		case a.text != "" || b.text != "":
			p.refuse(e, "the text of a %s", a.text+b.text)
		case a.kind == expr.IntKind && b.kind == expr.DoubleKind:
			t := p.mixed(op, a, b)
			return &t
		case a.kind == expr.DoubleKind && b.kind == expr.IntKind:
			t := p.mixed(map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op], b, a)
			return &t
		case a.kind != b.kind:
			if numeric(a.kind) && numeric(b.kind) {
				p.refuse(e, "%s between numbers of different types", op)
			}
			if a.kind == expr.UnknownKind || b.kind == expr.UnknownKind {
				p.refuse(e, "%s of unknown data", op)
			}
			return nil
		}
		switch a.kind {
		case expr.IntKind, expr.StringKind, expr.DurationKind:
			if t, ok := p.constantOrder(op, a, b); ok {
				return &t
			}
			x, y := p.pair(a, b)
			t := known(goexpr.Compare(x, op, y))
			return &t
		case expr.DoubleKind:
			// NaN is neither less nor not less.
			x, y := p.pair(a, b)
			t := tri{goexpr.CompareFloats(x, op, y), goexpr.CompareFloats(x, goexpr.Opposites[op], y)}
			return &t
		case expr.TimestampKind:
			t := known(goexpr.Compare(goexpr.Method(a.code, "Compare", b.code), op, zero))
			return &t
		case expr.BoolKind:
			p.refuse(e, "%s between bools", op)
		case expr.UnknownKind, expr.BytesKind:
			p.refuse(e, "%s of %s", op, a.kind)
		}
		return nil
	})
}

// mixed compares an integer with a floating point number.
func (p *printer) mixed(op string, i, f alternative) tri {
	x, y := p.plain(i), p.plain(f)
	isNumber := goexpr.Not(p.call1("IsNaN", y))
	less := goexpr.Compare(p.call1("CompareIntDouble", x, y), op, zero)
	return tri{goexpr.And(isNumber, less), goexpr.And(isNumber, goexpr.Not(less))}
}

func numeric(k expr.Kind) bool {
	return k == expr.IntKind || k == expr.DoubleKind || k == expr.UintKind
}

// constantOrder decides comparisons that a Go compiler would decide or reject.
func (p *printer) constantOrder(op string, a, b alternative) (tri, bool) {
	c := 0
	switch x := a.constant.(type) {
	case int64:
		y, ok := b.constant.(int64)
		if !ok {
			return tri{}, false
		}
		c = compareInts(x, y)
	case string:
		y, ok := b.constant.(string)
		if !ok {
			return tri{}, false
		}
		c = strings.Compare(x, y)
	default:
		return tri{}, false
	}
	result := map[string]bool{"<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[op]
	return known(goexpr.Bool(result)), true
}

func compareInts(x, y int64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// pairs joins the results of f for the alternatives of two operands; nil is a failure.
func (p *printer) pairs(e *expr.Call, f func(a, b alternative) *tri) tri {
	var yes, no []goexpr.Expr
	left, right := p.value(e.Args[0]), p.value(e.Args[1])
	p.limit(e, left, right)
	for _, a := range left {
		for _, b := range right {
			t := f(a, b)
			if t == nil {
				continue
			}
			when := goexpr.And(a.when, b.when)
			yes, no = append(yes, goexpr.And(when, t.yes)), append(no, goexpr.And(when, t.no))
		}
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// equality prints x == y.
func (p *printer) equality(e *expr.Call) tri {
	return p.pairs(e, func(a, b alternative) *tri {
		t := p.equal(a, b, e)
		return &t
	})
}

// equal compares two alternatives. Values of different types are not equal.
func (p *printer) equal(a, b alternative, e expr.Expr) tri {
	switch {
	case a.kind == expr.UnknownKind || b.kind == expr.UnknownKind || a.kind == expr.BytesKind || b.kind == expr.BytesKind:
		p.refuse(e, "the comparison of unknown data")
	case a.text != "" || b.text != "":
		if a.kind == b.kind {
			p.refuse(e, "the text of a %s", a.text+b.text)
		}
		return known(goexpr.False)
	case a.kind != b.kind:
		return p.equalMixed(a, b, e)
	}
	switch a.kind {
	case expr.NullKind:
		return known(goexpr.True)
	case expr.TypeKind:
		return known(goexpr.Bool(a.is == b.is))
	case expr.StringKind, expr.IntKind, expr.DurationKind, expr.DoubleKind, expr.IPKind, expr.CIDRKind:
		if a.constant != nil && b.constant != nil {
			return known(goexpr.Bool(a.constant == b.constant))
		}
		x, y := p.pair(a, b)
		return known(goexpr.Eq(x, y))
	case expr.BoolKind:
		x, y := value{a}.truth(), value{b}.truth()
		return known(goexpr.Or(goexpr.And(x.yes, y.yes), goexpr.And(goexpr.Not(x.yes), goexpr.Not(y.yes))))
	case expr.TimestampKind:
		return known(goexpr.Method(a.code, "Equal", b.code))
	case expr.QuantityKind:
		return known(goexpr.Eq(p.call1("CompareQuantity", a.code, b.code), zero))
	case expr.OptionalKind:
		return p.equalOptionals(a, b, e)
	case expr.ListKind:
		return p.equalLists(a, b, e)
	case expr.MapKind, expr.ObjectKind:
		return p.equalDeep(a, b, e)
	}
	p.refuse(e, "the comparison of values of type %s", a.kind)
	return tri{}
}

// equalOptionals compares optional values: two without a value are equal.
func (p *printer) equalOptionals(a, b alternative, e expr.Expr) tri {
	if a.some == nil || b.some == nil {
		return known(goexpr.Bool(a.some == nil && b.some == nil))
	}
	return p.equalValues(a.some, b.some, e)
}

// equalValues compares two values, each with its alternatives.
func (p *printer) equalValues(x, y value, e expr.Expr) tri {
	var yes, no []goexpr.Expr
	for _, a := range x {
		for _, b := range y {
			t, when := p.equal(a, b, e), goexpr.And(a.when, b.when)
			yes, no = append(yes, goexpr.And(when, t.yes)), append(no, goexpr.And(when, t.no))
		}
	}
	return tri{goexpr.Or(yes...), goexpr.Or(no...)}
}

// equalMixed compares values of different types. Of these, only numbers can be equal.
func (p *printer) equalMixed(a, b alternative, e expr.Expr) tri {
	switch {
	case a.kind == expr.IntKind && b.kind == expr.DoubleKind:
		return known(p.mixed("==", a, b).yes)
	case a.kind == expr.DoubleKind && b.kind == expr.IntKind:
		return known(p.mixed("==", b, a).yes)
	case numeric(a.kind) && numeric(b.kind):
		p.refuse(e, "the comparison of numbers of different types")
	}
	kinds := []expr.Kind{a.kind, b.kind}
	if slices.Contains(kinds, expr.NullKind) || slices.Contains(kinds, expr.OptionalKind) {
		return known(goexpr.False)
	}
	for _, k := range kinds {
		if k == expr.ListKind || k == expr.MapKind || k == expr.ObjectKind {
			p.refuse(e, "the comparison of %s and %s", a.kind, b.kind)
		}
	}
	return known(goexpr.False)
}

// equalLists compares lists: item by item if one is a literal, else as values of their Go type.
func (p *printer) equalLists(a, b alternative, e expr.Expr) tri {
	if a.list.literal || b.list.literal {
		switch { // the operand on the left decides how lists are compared
		case a.typ != nil && a.typ.ListType == "set":
			return p.equalSets(a.list, b.list, e)
		case a.typ != nil && a.typ.ListType == "map":
			p.refuse(e, "the comparison of a list of type map with a list that is no field")
		}
		return p.equalItems(a.list, b.list, e)
	}
	if len(a.list.steps)+len(b.list.steps) > 0 || a.list.keys {
		p.refuse(e, "the comparison of lists that are no fields")
	}
	return p.equalDeep(a, b, e)
}

// equalItems compares lists item by item; one of them is a literal.
func (p *printer) equalItems(a, b *list, e expr.Expr) tri {
	if a.literal && !b.literal {
		a, b = b, a
	}
	if !mapsOnly(a) || !mapsOnly(b) || a.keys {
		p.refuse(e, "the comparison of lists that are no fields")
	}
	var yes, no []goexpr.Expr
	if a.literal {
		if len(a.items) != len(b.items) {
			return known(goexpr.False)
		}
	} else {
		size := goexpr.Eq(length(a.code), goexpr.Raw(strconv.Itoa(len(b.items))))
		yes, no = append(yes, size), append(no, goexpr.Not(size))
	}
	for i := range b.items {
		items := value(nil)
		if a.literal {
			items = a.items[i]
		} else {
			items = p.goValue(goexpr.Index(a.code, goexpr.Raw(strconv.Itoa(i))), a.elem, a.typ)
		}
		t := p.equalValues(a.changed(items), b.changed(b.items[i]), e)
		yes = append(yes, t.yes)
		if a.literal {
			no = append(no, t.no)
		} else {
			no = append(no, goexpr.And(yes[0], t.no)) // the index is within the list
		}
	}
	return tri{goexpr.And(yes...), goexpr.Or(no...)}
}

// equalSets compares a field of type set with a literal.
func (p *printer) equalSets(field, literal *list, e expr.Expr) tri {
	if len(field.steps)+len(literal.steps) > 0 {
		p.refuse(e, "the comparison of lists that are no fields")
	}
	for _, item := range literal.items {
		for _, a := range item {
			if a.kind != field.typ.Kind || a.text != "" || plainTypes[a.kind] == "" {
				p.refuse(e, "the comparison of a set of %s with items of type %s", field.typ, a.kind)
			}
		}
	}
	size := goexpr.Eq(length(field.code), goexpr.Raw(strconv.Itoa(len(literal.items))))
	x, y := p.containsAll(field, literal, e), p.containsAll(literal, field, e)
	return tri{goexpr.And(size, x.yes, y.yes), goexpr.Or(goexpr.Not(size), x.no, y.no)}
}

// equalEntries compares maps of which one is written out.
func (p *printer) equalEntries(a, b alternative, e expr.Expr) tri {
	p.distinct(a.list, e)
	p.distinct(b.list, e)
	if b.list.values == nil {
		a, b = b, a
	}
	size := goexpr.Expr(goexpr.Bool(len(a.list.items) == len(b.list.items)))
	if a.list.values == nil {
		size = goexpr.Eq(length(a.list.code), goexpr.Raw(strconv.Itoa(len(b.list.items))))
	}
	yes, no := []goexpr.Expr{size}, []goexpr.Expr{goexpr.Not(size)}
	for i, key := range b.list.items {
		if !a.list.literal && key[0].kind != expr.StringKind {
			return known(goexpr.False)
		}
		v, present, absent := p.mapEntry(a, key[0], e)
		t := p.equalValues(v, b.list.values[i], e)
		yes, no = append(yes, goexpr.And(present, t.yes)), append(no, absent, goexpr.And(present, t.no))
	}
	return tri{goexpr.And(yes...), goexpr.Or(no...)}
}

// equalDeep compares values of one Go type by the function that the context has, and maps that are written out by entries.
func (p *printer) equalDeep(a, b alternative, e expr.Expr) tri {
	if a.kind == expr.MapKind && (a.list.values != nil || b.list.values != nil) {
		return p.equalEntries(a, b, e)
	}
	if p.Equal == nil || a.goType == nil || b.goType == nil || !a.goType.Equal(b.goType) || !sameLists(a.typ, b.typ) {
		p.refuse(e, "the comparison of values of type %s", a.kind)
	}
	addressable := func(x goexpr.Expr) goexpr.Expr {
		if goexpr.Addressable(x) {
			return x
		}
		return goexpr.Star(p.call1("Copy", x))
	}
	code, reason := p.Equal(a.goType, a.typ, addressable(a.code), addressable(b.code))
	if code == nil {
		p.refuse(e, "the comparison of values of type %s: %s", a.kind, reason)
	}
	return known(code)
}

// sameLists reports whether API servers compare values of two types in the same way: items by position, value, or key.
func sameLists(x, y *expr.Type) bool {
	if x == nil || y == nil {
		return x == y
	}
	return x.Kind == y.Kind && x.Name == y.Name && x.ListType == y.ListType && slices.Equal(x.ListKeys, y.ListKeys) && sameLists(x.Elem, y.Elem)
}

// membership prints x in y.
func (p *printer) membership(e *expr.Call) tri {
	return p.pairs(e, func(x, in alternative) *tri {
		switch in.kind {
		case expr.MapKind:
			if !in.list.literal && (x.kind != expr.StringKind || x.text != "") {
				return nil
			}
			_, present, absent := p.mapEntry(in, x, e)
			return &tri{present, absent}
		case expr.ListKind:
			t := p.contains(in.list, x, e)
			return &t
		}
		p.refuse(e, "in with %s", in.kind)
		return nil
	})
}

// contains reports whether a list has an item: items that cannot be compared
// count only when no other one is equal.
func (p *printer) contains(l *list, x alternative, e expr.Expr) tri {
	if item, ok := p.itemCode(l, x); ok {
		return known(goexpr.Call(p.ident("slices", "Contains"), l.code, item))
	}
	equal := func(v value) tri {
		var yes, no []goexpr.Expr
		for _, a := range v {
			t := p.equal(x, a, e)
			if a.constant == nil {
				t = p.equal(a, x, e)
			}
			yes, no = append(yes, goexpr.And(a.when, t.yes)), append(no, goexpr.And(a.when, t.no))
		}
		return tri{goexpr.Or(yes...), goexpr.Or(no...)}
	}
	return tri{
		p.some(l, "x", func(v value) goexpr.Expr { return equal(v).yes }),
		p.every(l, "x", func(v value) goexpr.Expr { return equal(v).no }),
	}
}

// itemCode returns code for a value in the Go type of a slice's items, when == of
// Go means the same as in CEL.
func (p *printer) itemCode(l *list, x alternative) (item goexpr.Expr, ok bool) {
	if l.literal || l.keys || len(l.steps) > 0 || x.text != "" || x.boolean != nil || plainTypes[x.kind] == "" {
		return nil, false
	}
	elem := p.Model.Underlying(l.elem)
	if !elem.IsScalar() || elem.IsFloat() || kindOf(elem) != x.kind || l.typ.Kind != x.kind {
		return nil, false
	}
	if x.kind == expr.IntKind && !p.fits(x, alternative{goType: l.elem}) && (x.goType == nil || !x.goType.Equal(l.elem)) {
		return nil, false
	}
	return p.in(x, l.elem), true
}

func kindOf(builtin *model.Ref) expr.Kind {
	switch {
	case builtin.IsString():
		return expr.StringKind
	case builtin.IsBool():
		return expr.BoolKind
	case builtin.IsInteger():
		return expr.IntKind
	}
	return expr.DoubleKind
}

// doubleText prints a number such that Go takes it for a floating point one.
func doubleText(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") && !math.IsInf(f, 0) {
		s += ".0"
	}
	return s
}
