package validation

import (
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/goexpr"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
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
	// paths are the variables of the loops around for the paths of their items,
	// of which one is enough for all turns: in the validator of a recursive type
	// what is declared inside of a loop would go to the heap.
	paths []string
	// priors is the number of variables for old values that rules take as optional.
	priors int
	// written is set once there is a statement.
	written bool
}

// typ writes the validator of a declared type: rules of the types that it is
// declared from, then its own, then those of its fields.
func (b *body) typ(t *model.Type) {
	program := b.g.rules.Of(t)
	p := place{
		rule:  program.Place,
		value: goexpr.Star(obj), addr: obj, hasOld: goexpr.Ne(oldObj, goexpr.Nil), old: goexpr.Star(oldObj), oldAddr: oldObj,
		at: "at", before: new(string),
	}
	if base := b.base(t); base != nil {
		name := b.g.file.Ident(base.Package, base.Name)
		b.p(b.g.callee(base), "(r, at, (*", name, ")(obj), (*", name, ")(oldObj))")
	}
	rules := b.g.needs.rules(t, program.Rules)
	for _, f := range t.Fields {
		if reachable(f, t, b.g.c.Package) {
			rules = append(rules, b.g.needs.rules(t, b.g.rules.Field(t, f).Around)...)
		}
	}
	cohorts := split(join(rules))
	if len(cohorts) == 1 && !hasRest(cohorts[0].rules) && !t.IsStruct() && (program.Place.Opaque || !b.g.needs.inside(t)) {
		b.reports(p, cohorts[0].rules)
		return
	}
	if conditions := b.conditions(p, cohorts[0].rules); len(conditions) > 0 {
		b.p("if !(", goexpr.And(conditions...), ") {")
		b.p("return")
		b.p("}")
	}
	b.checks(p, cohorts[0].rules)
	b.cohorts(p, cohorts[1:])
	switch {
	case t.IsStruct():
	case t.Def.Kind == model.KindNamed, program.Place.Opaque: // whose validator looks at the values' types
		b.eachOnly(p, cohorts[0].rules)
	default:
		b.values(p, cohorts[0].rules)
	}
	if program.Place.Opaque {
		return
	}
	for _, f := range t.Fields {
		if reachable(f, t, b.g.c.Package) {
			b.field(t, f)
		}
	}
}

// base returns the declared type that t is declared from, when that has rules.
func (b *body) base(t *model.Type) *model.Type {
	if t.Def.Kind != model.KindNamed || b.g.rules.Of(t).Place.Opaque {
		return nil
	}
	base := b.g.m.Type(t.Def.ID())
	if base == nil || !b.g.needs.typ(base) {
		return nil
	}
	return base
}

// field writes what a struct's validator does about one field: nothing on an
// update that leaves the field as it was.
func (b *body) field(t *model.Type, f *model.Field) {
	of := b.g.rules.Field(t, f)
	rules := b.g.needs.rules(t, of.Rules)
	below := b.g.needs.below(of.Place)
	if len(rules) > 0 || below {
		rules = slices.Concat(b.g.rules.NoNils(of.Place), rules)
	}
	if !effective(rules) && !below {
		return
	}
	p := b.place(of.Place, goexpr.Sel(obj, f.Name), "&at")
	p = b.paired(p, goexpr.Ne(oldObj, goexpr.Nil), goexpr.Sel(oldObj, f.Name))
	p.noNils = true
	if b.written {
		b.p()
	}
	b.p("// ", f.Name)
	b.p("if ", goexpr.Or(goexpr.Eq(oldObj, goexpr.Nil), b.g.equals.not(f.Type, p.value, p.old)), " {")
	if f.Inline {
		p.at = "at"
	} else {
		b.p("at := at.Child(", quote(f.JSON), ")")
	}
	b.rules(p, rules, below)
	b.p("}")
}

// rules writes the rules of a place, cohort by cohort, and what its type says.
// The default cohort comes first, and decides whether the others run.
func (b *body) rules(p place, rules []rule.Rule, below bool) {
	p.before = new(string)
	cohorts := split(join(rules))
	first := cohorts[0].rules
	if !below && len(cohorts) == 1 && !hasRest(first) {
		b.reports(p, first)
		return
	}
	conditions := b.conditions(p, first)
	if p.rule.IsPointer(b.g.m) && !rule.EnsureSet(first) {
		if slices.ContainsFunc(rules, func(r rule.Rule) bool { return takesNil(r) && r.Effect == rule.Report }) {
			b.withNil(p, conditions, cohorts, below)
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
	b.checks(p, first)
	b.rest(p, cohorts, below)
}

// withNil writes the rules of a place where some run for a nil pointer too.
func (b *body) withNil(p place, conditions []goexpr.Expr, cohorts []cohort, below bool) {
	if len(conditions) > 0 {
		b.p("if ", goexpr.And(conditions...), " {")
		defer b.p("}")
	}
	b.runs(p, cohorts[0].rules)
	for _, c := range cohorts[1:] {
		b.cohort(p, c, func() {
			b.runs(p, c.rules)
			b.unlessNil(p, hasEach(c.rules), func() { b.eachOnly(p, c.rules) })
		})
	}
	first := cohorts[0].rules
	b.unlessNil(p, below || hasEach(first), func() { b.rest(p, cohorts[:1], below) })
}

// runs writes the rules that stop nothing, those together that are to run for a
// nil pointer, or are not.
func (b *body) runs(p place, rules []rule.Rule) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r rule.Rule) bool {
		return stops(r) || isEach(r)
	})
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && takesNil(rules[n]) == takesNil(rules[0]) {
			n++
		}
		run := rules[:n]
		rules = rules[n:]
		if takesNil(run[0]) {
			b.checks(p, run)
		} else {
			b.unlessNil(p, effective(run), func() { b.checks(p, run) })
		}
	}
}

// unlessNil writes, where there is anything to write, what a nil pointer does
// not allow.
func (b *body) unlessNil(p place, anything bool, write func()) {
	if anything {
		b.under(p, goexpr.Ne(p.value, goexpr.Nil), write)
	}
}

// rest writes what follows the checks of the default cohort: the other cohorts,
// then the values below and what the type says.
func (b *body) rest(p place, cohorts []cohort, below bool) {
	b.cohorts(p, cohorts[1:])
	if below {
		b.below(p, cohorts[0].rules)
	} else {
		b.eachOnly(p, cohorts[0].rules)
	}
}

// cohorts writes the cohorts after the default one, each on its own.
func (b *body) cohorts(p place, cohorts []cohort) {
	for _, c := range cohorts {
		b.cohort(p, c, func() {
			b.checks(p, c.rules)
			b.eachOnly(p, c.rules)
		})
	}
}

// cohort writes what can stop a cohort, and the rest of it under that.
func (b *body) cohort(p place, c cohort, rest func()) {
	if !hasRest(c.rules) {
		b.reports(p, c.rules)
		return
	}
	b.under(p, goexpr.And(b.conditions(p, c.rules)...), rest)
}

// checks writes the rules that stop nothing, loops apart.
func (b *body) checks(p place, rules []rule.Rule) {
	for _, r := range rules {
		if stops(r) || isEach(r) {
			continue
		}
		var write func()
		switch must := r.Must.(type) {
		case *rule.Union:
			b.union(p, r, must)
			continue
		case *rule.Part:
			if !effective(must.Rules) {
				continue
			}
			write = func() { b.subfield(p, must, pushed(r, must.Rules)) }
		case *rule.Item:
			if !effective(must.Rules) {
				continue
			}
			write = func() { b.item(p, must, pushed(r, must.Rules)) }
		case *rule.Modes:
			write = func() { b.modes(p, must) }
		case *rule.CEL:
			write = func() { b.authored(p, r, must) }
		default:
			write = func() { b.p(b.marked(r.Under, b.leaf(p, r))) }
		}
		b.under(p, b.applies(p, r, false), write)
	}
}

// under writes something that is to be done at a place under a condition.
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

// below writes what the place's type says: a call of the type's validator, or
// a loop over the values of a list or map. Loops of eachVal are joined with it.
func (b *body) below(p place, rules []rule.Rule) {
	elem := p.rule.Value(b.g.m)
	if elem.Kind == model.KindNamed {
		if t := b.g.m.Type(elem.ID()); t != nil && b.g.needs.typ(t) && b.g.needs.called(t) {
			call := func() { b.callType(p, t) }
			if b.g.rules.OnlyAuthored(t) {
				b.under(p, b.writtenIn(p, p.value, b.celContext(p)), call)
			} else {
				call()
			}
			b.eachOnly(p, rules)
			return
		}
	}
	b.values(p, rules)
}

// eachOnly writes the loops that eachVal and eachKey ask for, without what the
// values' types say, which the called validator does.
func (b *body) eachOnly(p place, rules []rule.Rule) {
	b.loop(p, rest(rules), false)
}

// callType writes the call of a type's validator.
func (b *body) callType(p place, t *model.Type) {
	function := b.g.callee(t)
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
		b.p("var ", name, " *", b.g.file.Type(p.rule.Value(b.g.m)))
		b.p("if ", p.hasOld, " {")
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

// name returns a local name that does not hide that of an outer loop.
func (b *body) name(base string) string {
	if b.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(b.depth)
}
