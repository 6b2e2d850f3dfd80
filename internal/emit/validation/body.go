package validation

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/order"
)

// The parameters of a validator.
const (
	obj    = goexpr.Raw("obj")
	oldObj = goexpr.Raw("oldObj")
)

// body writes the statements of one validator.
type body struct {
	g     *generator
	owner *model.Type
	depth int
	// paths are the variables of enclosing loops for the paths of their items. They are declared
	// outside the loops, because in the validator of a recursive type variables in a loop are
	// allocated on the heap.
	paths []string
	// priors is the number of variables for optional old values.
	priors int
	// written is set after the first statement.
	written bool
}

// typ writes the validator of a declared type: rules of the types that it is
// declared from, then its own, then those of its fields.
func (b *body) typ(use order.Use) {
	ordered := b.g.order.At(use)
	own := ordered.Own
	p := place{
		rule:  own.Place,
		value: goexpr.Star(obj), addr: obj, hasOld: goexpr.Ne(oldObj, goexpr.Nil), old: goexpr.Star(oldObj), oldAddr: oldObj,
		at: "at", before: new(string),
	}
	if base := ordered.Base; base != nil {
		name := b.g.file.Ident(base.Package, base.Name)
		b.p(b.g.callee(base), "(r, at, (*", name, ")(obj), (*", name, ")(oldObj))")
	}
	if len(own.Others)+len(ordered.Fields) == 0 && !own.Default.Reports() {
		b.reports(p, &own.Default)
		return
	}
	if conditions := b.conditions(p, &own.Default); len(conditions) > 0 {
		b.p("if !(", goexpr.And(conditions...), ") {")
		b.p("return")
		b.p("}")
	}
	b.checks(p, own.Default.Rest)
	b.cohorts(p, own.Others)
	b.loops(p, own.Default.Each)
	for _, f := range ordered.Fields {
		b.field(f)
	}
}

// field writes the validation of one field of a struct, which an update that does not change the
// field skips.
func (b *body) field(f order.Field) {
	p := b.place(f.Body.Place, goexpr.Sel(obj, f.Name), "&at")
	p = b.paired(p, goexpr.Ne(oldObj, goexpr.Nil), goexpr.Sel(oldObj, f.Name))
	p.noNils = true
	if b.written {
		b.p()
	}
	b.p("// ", f.Name)
	if f.Body.Hoisted {
		p = b.hoisted(p, f.Name)
	}
	if b.g.rules.Strict(f.Type) {
		b.p("{")
	} else {
		b.p("if ", goexpr.Or(goexpr.Eq(oldObj, goexpr.Nil), b.g.equals.not(f.Type, p.value, p.old)), " {")
	}
	if f.Inline {
		p.at = "at"
	} else {
		b.p("at := at.Child(", quote(f.JSON), ")")
	}
	b.rules(p, f.Body)
	b.p("}")
}

// hoisted declares pointers to the struct of an inlined pointer, to a zero one for nil: JSON has its fields in the
// object around it.
func (b *body) hoisted(p place, name string) place {
	elem := b.g.file.Type(p.rule.Value(b.g.m))
	zero := goexpr.Raw(b.g.declare("no"+typeWord(b.g, p.rule.Value(b.g.m)), "new("+elem+")"))
	now, before := goexpr.Raw("inlined"+name), goexpr.Raw("was"+name)
	b.p(now, " := ", p.value)
	b.p("if ", now, " == nil {")
	b.p(now, " = ", zero)
	b.p("}")
	b.p("var ", before, " *", elem)
	b.p("if ", p.hasOld, " {")
	b.p("if ", before, " = ", p.old, "; ", before, " == nil {")
	b.p(before, " = ", zero)
	b.p("}")
	b.p("}")
	p.value, p.addr = now, now
	p.hasOld, p.old, p.oldAddr = goexpr.Ne(before, goexpr.Nil), before, before
	return p
}

// rules writes the rules of a place, cohort by cohort, and those of its type. The default cohort is
// first, and decides whether the others run.
func (b *body) rules(p place, rules *order.Body) {
	p.before = new(string)
	first := &rules.Default
	if rules.Call == nil && len(rules.Others) == 0 && !first.Reports() {
		b.reports(p, first)
		return
	}
	conditions := b.conditions(p, first)
	if p.rule.IsPointer(b.g.m) && !first.EnsuresSet() {
		if rules.TakesNil() {
			b.withNil(p, conditions, rules)
			return
		}
		isSet := goexpr.Ne(p.value, goexpr.Nil)
		// Guards that only sometimes ask for that say no more.
		conditions = slices.DeleteFunc(conditions, func(c goexpr.Expr) bool { return goexpr.EndsIn(c, isSet) })
		conditions = append(conditions, isSet)
	}
	if len(conditions) > 0 {
		b.p("if ", goexpr.And(conditions...), " {")
		defer b.p("}")
	}
	b.checks(p, first.Rest)
	b.cohorts(p, rules.Others)
	b.below(p, rules)
}

// withNil writes the rules of a place of which some run for a nil pointer too.
func (b *body) withNil(p place, conditions []goexpr.Expr, rules *order.Body) {
	if len(conditions) > 0 {
		b.p("if ", goexpr.And(conditions...), " {")
		defer b.p("}")
	}
	b.runs(p, rules.Default.Rest)
	for _, c := range rules.Others {
		b.cohort(p, &c, func() {
			b.runs(p, c.Rest)
			b.unlessNil(p, len(c.Each) > 0, func() { b.loops(p, c.Each) })
		})
	}
	b.unlessNil(p, rules.Call != nil || len(rules.Default.Each) > 0, func() { b.below(p, rules) })
}

// runs writes the rules that do not stop others, either those that run for a nil pointer or the
// rest.
func (b *body) runs(p place, rules []*order.Check) {
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && rules[n].TakesNil == rules[0].TakesNil {
			n++
		}
		run := rules[:n]
		rules = rules[n:]
		if run[0].TakesNil {
			b.checks(p, run)
		} else {
			b.unlessNil(p, true, func() { b.checks(p, run) })
		}
	}
}

// unlessNil writes statements under the condition that a pointer is not nil, if there are any.
func (b *body) unlessNil(p place, anything bool, write func()) {
	if anything {
		b.under(p, goexpr.Ne(p.value, goexpr.Nil), write)
	}
}

// cohorts writes the cohorts after the default one.
func (b *body) cohorts(p place, cohorts []order.Cohort) {
	for _, c := range cohorts {
		b.cohort(p, &c, func() {
			b.checks(p, c.Rest)
			b.loops(p, c.Each)
		})
	}
}

// cohort writes the checks that can stop a cohort, and the rest of the cohort under these.
func (b *body) cohort(p place, c *order.Cohort, rest func()) {
	if !c.Reports() {
		b.reports(p, c)
		return
	}
	b.under(p, goexpr.And(b.conditions(p, c)...), rest)
}

// checks writes the rules that do not stop others, except loops.
func (b *body) checks(p place, rules []*order.Check) {
	for _, c := range rules {
		var write func()
		switch must := c.Must.(type) {
		case *rule.Union:
			b.union(p, c.Rule, must)
			continue
		case *rule.Part:
			write = func() { b.subfield(p, must, c.Inside) }
		case *rule.Item:
			write = func() { b.item(p, must, c.Inside) }
		case *rule.Modes:
			write = func() { b.modes(p, must, c) }
		case *rule.CEL:
			write = func() { b.authored(p, c.Rule, must) }
		default:
			write = func() { b.p(b.marked(c.Under, b.leaf(p, c.Rule))) }
		}
		b.under(p, b.applies(p, c.Rule, false), write)
	}
}

// under writes statements under a condition.
func (b *body) under(p place, condition goexpr.Expr, write func()) {
	switch condition {
	case goexpr.Expr(goexpr.True):
		write()
	case goexpr.Expr(goexpr.False):
	default:
		before := *p.before
		b.p("if ", condition, " {")
		write()
		b.p("}")
		*p.before = before
	}
}

// below writes the validation by the place's type: a call of the type's validator, and the loops
// over the values of a list or map.
func (b *body) below(p place, rules *order.Body) {
	if use := rules.Call; use != nil {
		there := goexpr.Expr(goexpr.True)
		if rules.Written != nil {
			there = b.writtenIn(p, p.value, b.celContext(p))
		}
		b.under(p, there, func() { b.callType(p, *use) })
	}
	b.loops(p, rules.Default.Each)
}

// callType writes the call of a type's validator.
func (b *body) callType(p place, use order.Use) {
	function := b.g.calleeOf(use)
	if p.never() {
		b.p(goexpr.Call(function, theRun, goexpr.Raw(p.at), p.addr, goexpr.Nil))
		return
	}
	old := p.oldAddr
	if _, isVariable := old.(goexpr.Raw); !isVariable {
		name := "old"
		if p.oldVar != "" {
			name = p.oldVar
		}
		hasOld := p.hasOld
		if b.zeroIsAbsent(p) {
			hasOld = b.hasOldValue(p)
		}
		b.p("var ", name, " *", b.g.file.Type(p.rule.Value(b.g.m)))
		b.p("if ", hasOld, " {")
		b.p(name, " = ", old)
		b.p("}")
		old = goexpr.Raw(name)
	}
	b.p(goexpr.Call(function, theRun, goexpr.Raw(p.at), p.addr, old))
}

// p writes a line. Expressions in it are written as source.
func (b *body) p(args ...any) {
	b.written = true
	for i, a := range args {
		if x, ok := a.(goexpr.Expr); ok {
			args[i] = goexpr.String(x)
		}
	}
	b.g.file.P(args...)
}

// name returns a local name that does not shadow that of an outer loop.
func (b *body) name(base string) string {
	if b.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(b.depth)
}
