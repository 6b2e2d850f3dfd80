package validation

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
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
	// written is set once there is a statement.
	written bool
}

// place is a value to validate, and how Go code gets at it.
type place struct {
	node *tag.Node
	// value is the value as declared, addr a pointer to it; behind a pointer
	// addr is the pointer itself and may be nil.
	value, addr string
	// hasOld says when there is an old value, "" for never. old and oldAddr
	// are valid where it holds.
	hasOld, old, oldAddr string
	// oldVar is the name for a pointer to the old value, where "old" is taken.
	oldVar string
	// at is the *validate.Path expression.
	at string
	// before is the variable that was declared for oldNilable, in the block that
	// is being written.
	before *string
	// noNils is set where it is known that the lists of pointers at the place and
	// below, down to the next struct, have no nil items.
	noNils bool
}

// typ writes the validator of a declared type: rules of the types that it is
// declared from, then its own, then those of its fields.
func (b *body) typ(t *model.Type) {
	p := place{
		node:  tag.TypeNode(b.g.c.Model, b.g.c.Tags, t),
		value: "*obj", addr: "obj", hasOld: "oldObj != nil", old: "*oldObj", oldAddr: "oldObj", at: "at",
		before: new(string),
	}
	if base := b.base(t); base != nil {
		name := b.g.file.Ident(base.Package, base.Name)
		b.p(b.g.callee(base), "(r, at, (*", name, ")(obj), (*", name, ")(oldObj))")
	}
	rules := b.g.rules(p.node, t.Constraints, false)
	for _, f := range t.Fields {
		if reachable(f, t, b.g.c.Package) {
			rules = append(rules, b.g.rules(tag.FieldNode(b.g.c.Model, b.g.c.Tags, t, f), f.Constraints, true)...)
		}
	}
	cohorts := split(join(rules))
	if len(cohorts) == 1 && !hasRest(cohorts[0].rules) && !t.IsStruct() && (isOpaque(t) || !b.g.needs.inside(t)) {
		b.reports(p, cohorts[0].rules)
		return
	}
	if conditions := b.conditions(p, cohorts[0].rules); len(conditions) > 0 {
		b.p("if !(", strings.Join(conditions, " && "), ") {")
		b.p("return")
		b.p("}")
	}
	b.checks(p, cohorts[0].rules)
	b.cohorts(p, cohorts[1:])
	switch {
	case t.IsStruct():
	case t.Def.Kind == model.KindNamed, isOpaque(t): // whose validator looks at the values' types
		b.eachOnly(p, cohorts[0].rules)
	default:
		b.values(p, cohorts[0].rules)
	}
	if isOpaque(t) {
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
	if t.Def.Kind != model.KindNamed || isOpaque(t) {
		return nil
	}
	base := b.g.c.Model.Type(t.Def.ID())
	if base == nil || !b.g.needs.typ(base) {
		return nil
	}
	return base
}

// field writes what a struct's validator does about one field: nothing on an
// update that leaves the field as it was.
func (b *body) field(t *model.Type, f *model.Field) {
	n := tag.FieldNode(b.g.c.Model, b.g.c.Tags, t, f)
	rules := b.g.rules(n, f.Constraints, false)
	below := b.g.needs.below(n)
	if len(rules) > 0 || below {
		rules = slices.Concat(tag.NoNils(n), rules)
	}
	if !effective(rules) && !below {
		return
	}
	p := place{
		node: n, value: "obj." + f.Name, addr: "&obj." + f.Name,
		hasOld: "oldObj != nil", old: "oldObj." + f.Name, oldAddr: "&oldObj." + f.Name, at: "&at",
		noNils: true,
	}
	if n.IsPointer() {
		p.addr, p.oldAddr = p.value, p.old
	}
	if b.written {
		b.p()
	}
	b.p("// ", f.Name)
	b.p("if oldObj == nil || ", b.g.equals.not(f.Type, p.value, p.old), " {")
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
func (b *body) rules(p place, rules []tag.Rule, below bool) {
	p.before = new(string)
	cohorts := split(join(rules))
	first := cohorts[0].rules
	if !below && len(cohorts) == 1 && !hasRest(first) {
		b.reports(p, first)
		return
	}
	conditions := b.conditions(p, first)
	if p.node.IsPointer() && !ensuresSet(first) {
		if takesNil(rules) {
			b.nilable(p, conditions, cohorts, below)
			return
		}
		set := p.value + " != nil"
		// What conditional guards say is said.
		conditions = slices.DeleteFunc(conditions, func(c string) bool { return strings.HasSuffix(c, " || "+set+")") })
		conditions = append(conditions, set)
	}
	if len(conditions) > 0 {
		b.p("if ", strings.Join(conditions, " && "), " {")
		defer b.p("}")
	}
	b.checks(p, first)
	b.rest(p, cohorts, below)
}

// nilable writes the rules of a place where some are to run for a nil pointer.
func (b *body) nilable(p place, conditions []string, cohorts []cohort, below bool) {
	if len(conditions) > 0 {
		b.p("if ", strings.Join(conditions, " && "), " {")
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
func (b *body) runs(p place, rules []tag.Rule) {
	rules = slices.DeleteFunc(slices.Clone(rules), func(r tag.Rule) bool {
		return stops(r) || r.Each != nil
	})
	for len(rules) > 0 {
		n := 1
		for n < len(rules) && rules[n].Nil == rules[0].Nil {
			n++
		}
		run := rules[:n]
		rules = rules[n:]
		if run[0].Nil {
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
		b.under(p, p.value+" != nil", write)
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
	condition := "true"
	if conditions := b.conditions(p, c.rules); len(conditions) > 0 {
		condition = strings.Join(conditions, " && ")
	}
	b.under(p, condition, rest)
}

// checks writes the rules that stop nothing, loops apart.
func (b *body) checks(p place, rules []tag.Rule) {
	for _, r := range rules {
		var write func()
		switch {
		case r.Part != nil && effective(r.Part.Rules):
			write = func() { b.part(p, r.Part) }
		case r.Modes != nil:
			write = func() { b.modes(p, r.Modes) }
		case r.Check != nil && !r.Short:
			write = func() { b.p(r.Check(b.exprs(p))) }
		default:
			continue
		}
		if r.If == nil {
			write()
			continue
		}
		b.under(p, r.If(b.exprs(p)), write)
	}
}

// under writes something that is to be done at a place under a condition.
func (b *body) under(p place, condition string, write func()) {
	switch condition {
	case "true":
		write()
	case "false":
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
func (b *body) below(p place, rules []tag.Rule) {
	elem := p.node.Value()
	if elem.Kind == model.KindNamed {
		if t := b.g.c.Model.Type(elem.ID()); t != nil && b.g.needs.typ(t) && b.g.needs.called(t) {
			b.call(p, t)
			b.eachOnly(p, rules)
			return
		}
	}
	b.values(p, rules)
}

// eachOnly writes the loops that eachVal and eachKey ask for, without what the
// values' types say, which the called validator does.
func (b *body) eachOnly(p place, rules []tag.Rule) {
	b.loop(p, rest(rules), false)
}

// call writes the call of a type's validator.
func (b *body) call(p place, t *model.Type) {
	function := b.g.callee(t)
	switch p.oldAddr {
	case "":
		b.p(function, "(r, ", p.at, ", ", p.addr, ", nil)")
	case "old", b.name("old"), "oldObj":
		b.p(function, "(r, ", p.at, ", ", p.addr, ", ", p.oldAddr, ")")
	default:
		old := "old"
		if p.oldVar != "" {
			old = p.oldVar
		}
		b.p("var ", old, " *", b.g.file.Type(p.node.Value()))
		b.p("if ", p.hasOld, " {")
		b.p(old, " = ", p.oldAddr)
		b.p("}")
		b.p(function, "(r, ", p.at, ", ", p.addr, ", ", old, ")")
	}
}

func (b *body) p(args ...any) {
	b.written = true
	b.g.file.P(args...)
}

// name returns a local name that does not hide that of an outer loop.
func (b *body) name(base string) string {
	if b.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(b.depth)
}

func quote(s string) string { return strconv.Quote(s) }
