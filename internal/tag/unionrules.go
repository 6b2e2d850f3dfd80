package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Rules returns the rules of a union, which are about the struct around its
// fields or about the list of its items. A discriminated union has one a member,
// so that each error is at its member. Where members are under different
// conditions, each is asked for its own.
func (u *Union) Rules(name string) []Rule {
	mixed := !u.uniform()
	rule := Rule{
		Tag: name, Parent: true, Conditioned: mixed,
		If: func(e *Exprs) string { return e.Created(u.changed(e, mixed)) },
	}
	exactlyOne := func(e *Exprs) string { return u.exactlyOne(e, mixed) }
	selected := func(e *Exprs) string { return u.selected(e, mixed) }
	switch {
	case u.Discriminator == nil:
		rule.Check = exactlyOne
		return []Rule{rule}
	case !mixed || len(Options(u.Conditions)) == 0:
		rule.Check, rule.Reports = selected, u.reports()
		return []Rule{rule}
	}
	// While there is no discriminator it is a union without one.
	with, without := rule, rule
	with.Check, with.Reports, without.Check = selected, u.reports(), exactlyOne
	there := func(e *Exprs) string { return OptionsAre(e, u.Conditions, nil) }
	with = When([]Rule{with}, there)[0]
	without = When([]Rule{without}, func(e *Exprs) string {
		silent := *e
		silent.Silent = true
		return Not(there(&silent))
	})[0]
	return []Rule{with, without}
}

// reports are the errors of a discriminated union.
func (u *Union) reports() []Report {
	reports := make([]Report, len(u.Members))
	for i, m := range u.Members {
		reports[i] = Report{Type: "Invalid", Origin: "union", At: m.Name}
	}
	return reports
}

// set says whether a member is set.
func (m Member) set(e *Exprs) string {
	if m.Keys != nil {
		return e.HasItem(m.Keys, e.Value)
	}
	return e.SetThrough(e.Obj, m.Through, m.Field)
}

// wasSet says whether a member was set, where there is an old value.
func (m Member) wasSet(e *Exprs) string {
	if m.Keys != nil {
		return e.HasItem(m.Keys, e.OldValue)
	}
	return e.SetThrough(e.OldObj, m.Through, m.Field)
}

// changed says whether an update changes the union's discriminator or which of
// its members are set.
func (u *Union) changed(e *Exprs, mixed bool) string {
	var parts []string
	if u.Discriminator != nil {
		parts = append(parts, u.discriminatorChanged(e))
	}
	silent := *e
	silent.Silent = true
	for _, m := range u.Members {
		part := "(" + m.set(e) + ") != (" + m.wasSet(e) + ")"
		if there := OptionsAre(&silent, m.Conditions, nil); there != "" && mixed {
			part = there + " && " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ||\n")
}

func (u *Union) discriminatorChanged(e *Exprs) string {
	now, there := Select(e.Obj, u.Through, u.Discriminator)
	before, wasThere := Select(e.OldObj, u.Through, u.Discriminator)
	changed := now + " != " + before
	if len(there) == 0 {
		return changed
	}
	return "(" + All(there) + ") != (" + All(wasThere) + ") ||\n" + All(slices.Concat(there, wasThere, []string{changed}))
}

func (u *Union) exactlyOne(e *Exprs, mixed bool) string {
	names, sets := make([]string, len(u.Members)), make([]string, len(u.Members))
	seen := map[string]bool{}
	var level *model.Constraint
	for i, m := range u.Members {
		names[i], sets[i] = Quote(m.Name), m.set(e)
		if mixed {
			level = Weakest(level, Level(m.Conditions))
			if there := OptionsAre(e, m.Conditions, seen); there != "" {
				sets[i] = there + " && " + sets[i]
			}
		}
	}
	check, kind := "ExactlyOneOf", "union"
	if u.ZeroOrOne {
		check, kind = "AtMostOneOf", "zeroOrOneOf"
	}
	fields := e.Declare(kind+u.place+identifier(u.Name)+"Members", "[]string{"+strings.Join(names, ", ")+"}")
	return AtLevel(e, level, e.Call(check, append([]string{fields}, sets...)...))
}

// identifier leaves of a text what can be part of a Go name.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && isWord(byte(r)) {
			return r
		}
		return -1
	}, s)
}

func (u *Union) selected(e *Exprs, mixed bool) string {
	checks := make([]string, len(u.Members))
	seen := map[string]bool{}
	d := u.Discriminator
	value, there := Select(e.Obj, u.Through, d)
	for i, m := range u.Members {
		checks[i] = e.Call("UnionMember", m.set(e), All(append(there, value+" == "+Quote(m.Value))), Quote(m.Name), Quote(d.JSON), Quote(m.Value))
		if mixed {
			checks[i] = AtLevel(e, Weakest(Level(u.Conditions), Level(m.Conditions)), checks[i])
			if on := OptionsAre(e, m.Conditions, seen); on != "" {
				checks[i] = Not(on) + " || " + checks[i]
			}
		}
	}
	return e.Validate("All") + "(\n" + strings.Join(checks, ",\n") + ",\n)"
}
