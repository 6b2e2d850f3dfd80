package validation

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// leaf returns the check of a predicate on one value: a call that reports the error and returns
// false if the value breaks the rule.
func (b *body) leaf(p place, r rule.Rule) goexpr.Expr {
	switch must := r.Must.(type) {
	case *rule.Required:
		return b.call(p, "Required", b.isSet(p))
	case *rule.Forbidden:
		return b.call(p, "Forbidden", b.isSet(p))
	case *rule.Limit:
		return b.limit(p, must)
	case *rule.NotEqual:
		return b.call(p, "NEQ", b.pointed(p), constant(must.Value))
	case *rule.Pattern:
		return b.pattern(p, must)
	case *rule.Format:
		return b.call(p, rule.Formats[must.Name].Check, b.pointed(p))
	case *rule.Enum:
		return b.enum(p, must)
	case *rule.ListType:
		return b.unique(p, must.Type)
	case *rule.Unique:
		return b.unique(p, must.By)
	case *rule.NoNils:
		return b.call(p, "NoNilItems", b.pointed(p))
	case *rule.Immutable:
		return b.call(p, "Immutable")
	case *rule.Monotonic:
		return b.call(p, "Monotonic", b.pointed(p), b.oldPointed(p))
	case *rule.Update:
		return b.update(p, must)
	case *rule.Call:
		return b.custom(p, must)
	case *rule.Fixed:
		return b.fixed(p, r, must)
	case *rule.Dependent:
		return b.dependent(p, must)
	}
	panic(fmt.Sprintf("no Go for predicate %T", r.Must))
}

// moment returns the condition that a rule has an old value to compare with.
func (b *body) moment(p place, r rule.Rule) goexpr.Expr {
	switch r.Moment {
	case rule.OnUpdate:
		if _, ok := r.Must.(*rule.Update); ok {
			return updateMoment(p)
		}
		return p.hasOld
	case rule.OnUpdateOfValue:
		return b.hasOldValue(p)
	case rule.OnChange:
		switch must := r.Must.(type) {
		case *rule.Dependent:
			return b.created(p, b.dependentChanged(p, must))
		case *rule.Union:
			return b.created(p, b.unionChanged(p, must))
		}
	}
	return goexpr.True
}

// sized are the limits on the number of items or entries.
var sized = map[rule.Keyword]bool{rule.MinItems: true, rule.MaxItems: true, rule.MinProperties: true, rule.MaxProperties: true}

func (b *body) limit(p place, l *rule.Limit) goexpr.Expr {
	switch l.Of {
	case rule.Duration:
		amount, _, _ := l.Of.Read(l.Value)
		return b.call(p, title(string(l.Keyword))+"Duration", goexpr.Sel(b.pointed(p), "Duration"), goexpr.Raw(b.g.file.Duration(time.Duration(amount.Int64()))))
	case rule.Quantity:
		return b.quantity(p, l)
	}
	value := b.pointed(p)
	if sized[l.Keyword] {
		value = goexpr.Call("len", value)
	}
	return b.call(p, title(string(l.Keyword)), value, goexpr.Raw(l.Value))
}

// quantity returns a variable with a quantity that is parsed once, when the program starts.
func (b *body) quantity(p place, l *rule.Limit) goexpr.Expr {
	name := string(l.Keyword) + p.rule.Owner.Name + p.rule.Field
	bound := b.g.declare(name, b.g.file.Ident(model.Quantity.Package, "MustParse")+"("+quote(l.Value)+")")
	value := p.addr
	if p.rule.Value(b.g.m).ID() != model.Quantity {
		value = goexpr.Call("(*"+b.g.file.Ident(model.Quantity.Package, model.Quantity.Name)+")", value)
	}
	return b.call(p, title(string(l.Keyword))+"Quantity", value, goexpr.Addr(goexpr.Raw(bound)))
}

func (b *body) pattern(p place, must *rule.Pattern) goexpr.Expr {
	literal := strconv.Quote(must.Regexp)
	if strconv.CanBackquote(must.Regexp) {
		literal = "`" + must.Regexp + "`"
	}
	compiled := b.g.declare("pattern"+p.rule.Owner.Name+p.rule.Field, b.g.file.Ident("regexp", "MustCompile")+"("+literal+")")
	return b.call(p, "Pattern", b.pointed(p), goexpr.Raw(compiled))
}

func (b *body) enum(p place, must *rule.Enum) goexpr.Expr {
	typ := b.g.file.Ident(must.Type.Package, must.Type.Name)
	values := slices.Clone(must.Values)
	slices.SortStableFunc(values, func(x, y rule.EnumValue) int { return cmp.Compare(x.Value, y.Value) })
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = b.enumValue(must.Type, v)
	}
	supported := goexpr.Raw(b.g.declare("supported"+must.Type.Name, "[]"+typ+"{"+strings.Join(names, ", ")+"}"))
	var lines strings.Builder
	for _, v := range must.Values {
		for _, c := range v.Excluded {
			fmt.Fprintf(&lines, "{Value: %s, Option: %q, ExcludeWhen: %v},\n", b.enumValue(must.Type, v), c.Option, !c.Off)
		}
	}
	if lines.Len() == 0 {
		return b.call(p, "Enum", b.pointed(p), supported)
	}
	excluded := b.g.declare("excluded"+must.Type.Name, "[]"+b.g.runtime("EnumExclusion")+"["+typ+"]{\n"+lines.String()+"}")
	return b.call(p, "EnumExcept", b.pointed(p), supported, goexpr.Raw(excluded))
}

// enumValue returns the constant if the generated file can refer to it, else its value.
func (b *body) enumValue(t model.Name, v rule.EnumValue) string {
	if t.Package == b.g.c.Package.Path || v.Const[0] >= 'A' && v.Const[0] <= 'Z' {
		return b.g.file.Ident(t.Package, v.Const)
	}
	return quote(v.Value)
}

func (b *body) unique(p place, by rule.Semantics) goexpr.Expr {
	elem := p.rule.Underlying(b.g.m).Elem
	_, pointers := b.g.m.Deref(elem)
	if by == rule.Set && b.g.equals.comparable(elem) {
		return b.call(p, "UniqueValues", b.pointed(p))
	}
	check := "UniqueFunc"
	if pointers {
		check = "UniquePtrFunc"
	}
	return b.call(p, check, b.pointed(p), goexpr.Raw(b.g.items.hash(p.rule)), goexpr.Raw(b.g.items.same(p.rule)))
}

// updateMoment returns the condition of update checks, false for places that never have an old
// value.
func updateMoment(p place) goexpr.Expr {
	if p.never() {
		return goexpr.False
	}
	return goexpr.True
}

func (b *body) update(p place, u *rule.Update) goexpr.Expr {
	switch u.Forbids {
	case rule.NoSet:
		return b.call(p, "UpdateNoSet", goexpr.Or(goexpr.Not(p.hasOld), b.wasSet(p)), b.isSet(p))
	case rule.NoAddItem, rule.NoRemoveItem:
		return b.updateItems(p, u)
	}
	return b.call(p, "Update"+string(u.Forbids), goexpr.And(p.hasOld, b.wasSet(p)), b.isSet(p))
}

// updateItems compares the items of a list or map with the old ones.
func (b *body) updateItems(p place, u *rule.Update) goexpr.Expr {
	r := p.rule.Underlying(b.g.m)
	if r.Kind == model.KindMap {
		return b.call(p, "Update"+strings.Replace(string(u.Forbids), "Item", "Key", 1), b.pointed(p), b.oldPointed(p))
	}
	check := "Update" + string(u.Forbids)
	if _, pointers := b.g.m.Deref(r.Elem); pointers {
		check += "Ptr"
	}
	return b.call(p, check, b.pointed(p), b.oldPointed(p), goexpr.Raw(b.g.items.hash(p.rule)), goexpr.Raw(b.g.items.same(p.rule)))
}

// custom calls a hand-written function, that of the generated package if it has one.
func (b *body) custom(p place, must *rule.Call) goexpr.Expr {
	home := must.Package
	if b.g.c.Package.Funcs[must.Name] != nil {
		home = b.g.c.Package.Path
	}
	function := b.g.file.Ident(home, must.Name)
	return goexpr.Call("r.Report", goexpr.Call(function,
		goexpr.Raw("r.Context"), goexpr.Raw("r.Operation"), goexpr.Raw("r.FieldPath("+p.at+")"), b.nilable(p), b.oldNilable(p)))
}

func (b *body) fixed(p place, r rule.Rule, must *rule.Fixed) goexpr.Expr {
	check := b.call(p, "FixedResult", p.value, goexpr.Raw(strconv.FormatBool(must.Passes)), goexpr.Raw(quote(must.Text)))
	if r.Effect == rule.Stop && !must.Passes {
		return b.wrapped("ShortCircuit", check)
	}
	return check
}
