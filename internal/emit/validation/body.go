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
}

// typ writes the validator of a declared type: rules of the types that it is
// declared from, then its own, then those of its fields.
func (b *body) typ(t *model.Type) {
	p := place{
		node:  tag.TypeNode(b.g.c.Model, b.g.c.Tags, t),
		value: "*obj", addr: "obj", hasOld: "oldObj != nil", old: "*oldObj", oldAddr: "oldObj", at: "at",
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
	cohorts := split(rules)
	switch conditions := b.conditions(p, cohorts[0].rules); {
	case len(conditions) == 0:
	case len(cohorts) == 1 && !hasRest(cohorts[0].rules) && !t.IsStruct() && !b.g.needs.ref(t.Def):
		b.reports(p, cohorts[0].rules)
	default:
		b.p("if !(", strings.Join(conditions, " && "), ") {")
		b.p("return")
		b.p("}")
	}
	b.checks(p, cohorts[0].rules)
	b.parts(p, cohorts[0].rules)
	if !t.IsStruct() && t.Def.Kind != model.KindNamed {
		b.values(p, cohorts[0].rules)
	}
	b.cohorts(p, cohorts[1:])
	for _, f := range t.Fields {
		if reachable(f, t, b.g.c.Package) {
			b.field(t, f)
		}
	}
}

// base returns the declared type that t is declared from, when that has rules.
func (b *body) base(t *model.Type) *model.Type {
	if t.Def.Kind != model.KindNamed {
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
	below := !opaque(f) && b.g.needs.ref(f.Type)
	if !effective(rules) && !below {
		return
	}
	p := place{
		node: n, value: "obj." + f.Name, addr: "&obj." + f.Name,
		hasOld: "oldObj != nil", old: "oldObj." + f.Name, oldAddr: "&oldObj." + f.Name, at: "&at",
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
	cohorts := split(rules)
	first := cohorts[0].rules
	if !below && len(cohorts) == 1 && !hasRest(first) {
		b.reports(p, first)
		return
	}
	conditions := b.conditions(p, first)
	if p.node.IsPointer() && !ensuresSet(first) {
		conditions = append(conditions, p.value+" != nil")
	}
	if len(conditions) > 0 {
		b.p("if ", strings.Join(conditions, " && "), " {")
		defer b.p("}")
	}
	b.checks(p, first)
	b.parts(p, first)
	if below {
		b.below(p, first)
	} else {
		b.values(p, first)
	}
	b.cohorts(p, cohorts[1:])
}

// cohorts writes the cohorts after the default one, each on its own.
func (b *body) cohorts(p place, cohorts []cohort) {
	for _, c := range cohorts {
		if !hasRest(c.rules) {
			b.reports(p, c.rules)
			continue
		}
		conditions := b.conditions(p, c.rules)
		if len(conditions) > 0 {
			b.p("if ", strings.Join(conditions, " && "), " {")
		}
		b.checks(p, c.rules)
		b.parts(p, c.rules)
		b.loop(p, c.rules, false)
		if len(conditions) > 0 {
			b.p("}")
		}
	}
}

// conditions returns the expressions that must hold for a cohort to go on: its
// short-circuiting checks, all of which run, and its guards.
func (b *body) conditions(p place, rules []tag.Rule) []string {
	shorts, guards := b.stops(p, rules)
	if len(shorts) > 0 {
		return append([]string{b.all(shorts)}, guards...)
	}
	return guards
}

// reports writes the short-circuiting checks of a cohort in which there is
// nothing to stop.
func (b *body) reports(p place, rules []tag.Rule) {
	shorts, _ := b.stops(p, rules)
	for _, s := range shorts {
		b.statement(s)
	}
}

// stops returns the expressions that stop a cohort when they are false: its
// short-circuiting checks, and its guards.
func (b *body) stops(p place, rules []tag.Rule) (shorts, guards []string) {
	e := b.exprs(p)
	for _, r := range rules {
		var s string
		switch {
		case r.Guard != nil:
			if s = r.Guard(e); s == "true" {
				continue
			}
		case r.Short && r.Check != nil:
			s = r.Check(e)
			if p.node.IsPointer() && e.Value != e.Raw && strings.Contains(s, e.Value) {
				s = e.Raw + " == nil || " + s
			}
		default:
			continue
		}
		if r.If != nil {
			s = "!(" + r.If(e) + ") || " + s
		}
		if r.Guard != nil {
			if strings.Contains(s, " || ") {
				s = "(" + s + ")"
			}
			guards = append(guards, s)
		} else {
			shorts = append(shorts, s)
		}
	}
	return shorts, guards
}

// all joins checks that must all run.
func (b *body) all(checks []string) string {
	if len(checks) == 1 && !strings.Contains(checks[0], " || ") {
		return checks[0]
	}
	if len(checks) == 1 {
		return "(" + checks[0] + ")"
	}
	return b.g.file.Ident(validatePkg, "All") + "(" + strings.Join(checks, ", ") + ")"
}

// checks writes the rules that are single checks and stop nothing.
func (b *body) checks(p place, rules []tag.Rule) {
	e := b.exprs(p)
	for _, r := range rules {
		if r.Check == nil || r.Short {
			continue
		}
		if r.If != nil {
			b.p("if ", r.If(e), " {")
			b.p(r.Check(e))
			b.p("}")
			continue
		}
		b.p(r.Check(e))
	}
}

// statement writes a check for its reports alone.
func (b *body) statement(check string) {
	if left, right, ok := strings.Cut(check, " || "); ok {
		b.p("if !(", left, ") {")
		b.p(right)
		b.p("}")
		return
	}
	b.p(check)
}

// below writes what the place's type says: a call of the type's validator, or
// a loop over the values of a list or map. Loops of eachVal are joined with it.
func (b *body) below(p place, rules []tag.Rule) {
	elem := p.node.Value()
	if elem.Kind == model.KindNamed {
		// A list type without rules of its own takes those of the field: how its
		// items are paired is said there.
		if t := b.g.c.Model.Type(elem.ID()); t != nil && b.g.needs.typ(t) && (b.g.c.Model.Struct(elem) != nil || b.g.needs.own(t)) {
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
	b.loop(p, rules, false)
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

// exprs returns the expressions with which rules of a place are written.
func (b *body) exprs(p place) *tag.Exprs {
	e := &tag.Exprs{
		Model: b.g.c.Model, Package: b.g.c.Package.Path, File: b.g.file, Run: "r", At: p.at,
		Raw: p.value, Value: p.value, Old: p.old, HasOld: p.hasOld, Obj: "obj", OldObj: "oldObj",
		Declare:   b.g.declare,
		Equal:     b.g.equals.expr,
		ItemFuncs: func() (hash, same string) { return b.g.items.hash(p.node), b.g.items.same(p.node) },
	}
	if p.node.IsPointer() {
		e.Value = "*" + p.value
		if p.node.Underlying().Kind == model.KindStruct {
			e.Value = p.value
		}
	}
	e.Set = tag.SetExpr(b.g.c.Model, p.node.Type, p.value)
	if p.hasOld == "" {
		e.HasOld = "false"
	} else {
		e.OldSet = tag.SetExpr(b.g.c.Model, p.node.Type, p.old)
	}
	return e
}

func (b *body) p(args ...any) {
	b.written = true
	b.g.file.P(args...)
}

// effective reports whether any of the rules can fail: guards alone say nothing.
func effective(rules []tag.Rule) bool {
	return slices.ContainsFunc(rules, func(r tag.Rule) bool { return r.Guard == nil })
}

// name returns a local name that does not hide that of an outer loop.
func (b *body) name(base string) string {
	if b.depth <= 1 {
		return base
	}
	return base + strconv.Itoa(b.depth)
}

func quote(s string) string { return strconv.Quote(s) }
