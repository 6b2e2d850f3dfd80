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
	var shorts []string
	rest := rules[:0]
	for _, r := range rules {
		if r.Short && r.Check != nil {
			shorts = append(shorts, r.Check(b.exprs(p)))
		} else {
			rest = append(rest, r)
		}
	}
	if len(shorts) > 0 && (len(rest) > 0 || t.IsStruct()) {
		b.p("if !", b.all(shorts), " {")
		b.p("return")
		b.p("}")
	} else {
		for _, s := range shorts {
			b.p(s)
		}
	}
	b.checks(p, rest)
	if !t.IsStruct() {
		if t.Def.Kind != model.KindNamed {
			b.values(p, rest)
		}
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

// rules writes the rules of a place and, below them, what its type says.
func (b *body) rules(p place, rules []tag.Rule, below bool) {
	e := b.exprs(p)
	var shorts, guards []string
	var rest []tag.Rule
	nonNil := !p.node.IsPointer()
	for _, r := range rules {
		switch {
		case r.Guard != nil:
			if s := r.Guard(e); s != "true" {
				guards = append(guards, s)
			}
			nonNil = true
		case r.Short && r.Check != nil:
			s := r.Check(e)
			if p.node.IsPointer() && strings.Contains(s, e.Value) && e.Value != e.Raw {
				s = e.Raw + " == nil || " + s
			}
			nonNil = nonNil || r.Tag == "required" || r.Tag == "optional"
			shorts = append(shorts, s)
		default:
			rest = append(rest, r)
		}
	}
	if len(rest) == 0 && !below {
		for _, s := range shorts {
			b.statement(s)
		}
		return
	}
	if !nonNil {
		guards = append(guards, e.Raw+" != nil")
	}
	conditions := guards
	if len(shorts) > 0 {
		conditions = append([]string{b.all(shorts)}, guards...)
	}
	if len(conditions) > 0 {
		b.p("if ", strings.Join(conditions, " && "), " {")
		defer b.p("}")
	}
	b.checks(p, rest)
	if below {
		b.below(p, rest)
	} else {
		b.values(p, rest)
	}
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

// checks writes the rules that are single checks.
func (b *body) checks(p place, rules []tag.Rule) {
	e := b.exprs(p)
	for _, r := range rules {
		if r.Check == nil {
			continue
		}
		if r.If != nil {
			b.p("if ", r.If(e), " {")
			b.statement(r.Check(e))
			b.p("}")
			continue
		}
		b.statement(r.Check(e))
	}
}

// statement writes a check for its report alone.
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
		Raw: p.value, Value: p.value, Old: p.old, Obj: "obj", OldObj: "oldObj",
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
