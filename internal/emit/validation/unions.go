package validation

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/goexpr"
	"github.com/kindsmith/kindsmith/internal/core/gofile"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/rule/unions"
)

// created says whether the object at a place is new, or else whether something
// about it has changed.
func (b *body) created(p place, changed goexpr.Expr) goexpr.Expr {
	hasOld := b.hasOldValue(p)
	return goexpr.OrLines(goexpr.Not(hasOld), changed)
}

func (b *body) dependentChanged(p place, d *rule.Dependent) goexpr.Expr {
	if p.never() {
		return goexpr.True
	}
	differs := func(f rule.FieldPath) goexpr.Expr {
		return goexpr.Ne(b.g.setBelow(b.object(p), f), b.g.setBelow(b.oldObject(p), f))
	}
	return goexpr.OrLines(differs(d.When), differs(d.Then))
}

func (b *body) dependent(p place, d *rule.Dependent) goexpr.Expr {
	check := "DependentRequired"
	if d.Forbidden {
		check = "DependentForbidden"
	}
	return b.call(p, check, goexpr.Raw(quote(d.When.JSON)), goexpr.Raw(quote(d.Then.JSON)),
		b.g.setBelow(b.object(p), d.When), b.g.setBelow(b.object(p), d.Then))
}

// member says whether a member of a union is set in the object at a place.
func (b *body) member(p place, m rule.Member) goexpr.Expr {
	if m.Field == nil {
		return b.hasItem(p, m.Keys, b.pointed(p))
	}
	return b.g.setBelow(b.object(p), *m.Field)
}

// oldMember is like member, for the old object.
func (b *body) oldMember(p place, m rule.Member) goexpr.Expr {
	if m.Field == nil {
		return b.hasItem(p, m.Keys, b.oldPointed(p))
	}
	return b.g.setBelow(b.oldObject(p), *m.Field)
}

func (b *body) hasItem(p place, keys []rule.KeyValue, list goexpr.Expr) goexpr.Expr {
	return goexpr.Compare(b.index(p, keys, list), ">=", goexpr.Raw("0"))
}

// unionChanged returns the condition that an update changes the union's discriminator or its set
// members.
func (b *body) unionChanged(p place, u *rule.Union) goexpr.Expr {
	if p.never() {
		return goexpr.True
	}
	var parts []goexpr.Expr
	if u.Members[0].Field == nil && !u.ZeroOrOne && !p.rule.IsPointer(b.g.m) {
		// An empty list does not exist, so the union is new.
		length := func(list goexpr.Expr) goexpr.Expr { return goexpr.Call("len", list) }
		parts = append(parts, goexpr.And(goexpr.Eq(length(b.oldPointed(p)), goexpr.Raw("0")), goexpr.Ne(length(b.pointed(p)), goexpr.Raw("0"))))
	}
	if u.Discriminator != nil {
		parts = append(parts, b.discriminatorChanged(p, u.Discriminator.Field))
	}
	for _, m := range u.Members {
		changed := goexpr.Ne(b.member(p, m), b.oldMember(p, m))
		parts = append(parts, goexpr.And(b.optionsAre(p, m.Under, true, nil), changed))
	}
	return goexpr.OrLines(parts...)
}

func (b *body) discriminatorChanged(p place, d rule.FieldPath) goexpr.Expr {
	now, there := b.g.selected(b.object(p), d)
	before, wasThere := b.g.selected(b.oldObject(p), d)
	changed := goexpr.Ne(now, before)
	if len(there) == 0 {
		return changed
	}
	both := append(append(append([]goexpr.Expr{}, there...), wasThere...), changed)
	return goexpr.OrLines(goexpr.Ne(goexpr.And(there...), goexpr.And(wasThere...)), goexpr.And(both...))
}

// union writes the rule of a union. If the conditions of its discriminator are false, it has none.
func (b *body) union(p place, r rule.Rule, u *rule.Union) {
	applies := b.applies(p, r, false)
	check := func(check goexpr.Expr) func() {
		return func() { b.p(b.marked(r.Under, check)) }
	}
	switch d := u.Discriminator; {
	case d == nil && u.Text != rule.Older:
		b.under(p, applies, check(b.exactlyOne(p, u)))
	case u.IsPlain():
		b.under(p, applies, check(b.members(p, u)))
	case len(rule.Options(d.Under)) == 0:
		b.under(p, applies, check(b.selectedMember(p, u)))
	default:
		b.under(p, goexpr.And(b.optionsAre(p, d.Under, false, nil), applies), check(b.selectedMember(p, u)))
		b.under(p, goexpr.And(goexpr.Not(b.optionsAre(p, d.Under, true, nil)), applies), check(b.exactlyOne(p, u)))
	}
}

func (b *body) exactlyOne(p place, u *rule.Union) goexpr.Expr {
	names := make([]string, len(u.Members))
	var sets []goexpr.Expr
	seen := map[string]bool{}
	level := rule.Level("")
	for i, m := range u.Members {
		names[i] = quote(m.Name)
		level = rule.Weakest(level, rule.LevelOf(m.Under))
		sets = append(sets, goexpr.And(b.optionsAre(p, m.Under, false, seen), b.member(p, m)))
	}
	check, kind := "ExactlyOneOf", "union"
	if u.ZeroOrOne {
		check, kind = "AtMostOneOf", "zeroOrOneOf"
	}
	fields := b.g.declare(kind+u.Place+identifier(u.Name)+"Members", "[]string{"+strings.Join(names, ", ")+"}")
	return b.atLevel(level, b.call(p, check, append([]goexpr.Expr{goexpr.Raw(fields)}, sets...)...))
}

// identifier removes the characters of a text that cannot be in a Go name.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, s)
}

// members writes the check of a union whose members all have the conditions of the rule.
func (b *body) members(p place, u *rule.Union) goexpr.Expr {
	discriminator, modified := goexpr.Expr(goexpr.Raw(`""`)), goexpr.Expr(goexpr.False)
	if d := u.Discriminator; d != nil {
		discriminator, _ = b.g.selected(b.object(p), d.Field)
		if d.Field.Type.Kind != model.KindBuiltin {
			discriminator = goexpr.Call("string", discriminator)
		}
		modified = b.discriminatorMay(p, d.Field)
	}
	exists := goexpr.Expr(goexpr.False)
	if !p.never() {
		exists = b.hasOldValue(p)
	}
	args := []goexpr.Expr{theRun, goexpr.Raw(p.at), goexpr.Raw(b.table(u)), discriminator, exists, modified}
	for _, m := range u.Members {
		args = append(args, b.member(p, m))
	}
	return goexpr.Call(b.g.file.Ident(gofile.RuntimeUnions, "Check"), args...)
}

// discriminatorMay returns the condition that the struct is new or has another discriminator.
func (b *body) discriminatorMay(p place, d rule.FieldPath) goexpr.Expr {
	if p.never() {
		return goexpr.True
	}
	return goexpr.Or(goexpr.Not(b.hasOldValue(p)), b.discriminatorChanged(p, d))
}

// table declares the table of a union.
func (b *body) table(u *rule.Union) string {
	table := unions.Union{Union: u}.Table(b.g.m)
	return b.g.declare("union"+u.Place+identifier(u.Name), "&"+emit.UnionLiteral(b.g.file, table))
}

func (b *body) selectedMember(p place, u *rule.Union) goexpr.Expr {
	checks := make([]goexpr.Expr, len(u.Members))
	seen := map[string]bool{}
	d := u.Discriminator
	value, there := b.g.selected(b.object(p), d.Field)
	for i, m := range u.Members {
		is := goexpr.And(append(append([]goexpr.Expr{}, there...), goexpr.Eq(value, goexpr.Raw(quote(m.Value))))...)
		check := b.call(p, "UnionMember", b.member(p, m), is, goexpr.Raw(quote(m.Name)), goexpr.Raw(quote(d.Field.JSON)), goexpr.Raw(quote(m.Value)))
		check = b.atLevel(rule.Weakest(rule.LevelOf(d.Under), rule.LevelOf(m.Under)), check)
		checks[i] = goexpr.Or(goexpr.Not(b.optionsAre(p, m.Under, false, seen)), check)
	}
	return goexpr.CallLines(b.g.runtime("All"), checks...)
}
