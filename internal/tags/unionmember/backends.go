package unionmember

import (
	"fmt"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// rules says a union's rules on the struct, once, from the union's first member.
// A discriminated union has one a member, so that each error is at its member.
func rules(n *tag.Node, c *model.Constraint) []tag.Rule {
	u, first := union(n, c)
	if u == nil || !first {
		return nil
	}
	return []tag.Rule{{
		Tag: "unionMember", Parent: true,
		If: func(e *tag.Exprs) string { return e.Created(tag.UnionChanged(e, n.Owner, u)) },
		Check: func(e *tag.Exprs) string {
			if d := n.Owner.Field(u.Discriminator); d != nil {
				return selected(e, n.Owner, u, d)
			}
			return exactlyOne(e, n.Owner, u)
		},
	}}
}

func exactlyOne(e *tag.Exprs, t *model.Type, u *model.Union) string {
	names, sets := make([]string, len(u.Members)), make([]string, len(u.Members))
	for i, m := range u.Members {
		f := t.Field(m.Field)
		names[i], sets[i] = tag.Quote(f.JSON), e.IsSet(f, e.Obj)
	}
	fields := e.Declare("union"+t.Name+u.Name+"Members", "[]string{"+strings.Join(names, ", ")+"}")
	return e.Call("ExactlyOneOf", append([]string{fields}, sets...)...)
}

func selected(e *tag.Exprs, t *model.Type, u *model.Union, d *model.Field) string {
	checks := make([]string, len(u.Members))
	for i, m := range u.Members {
		f := t.Field(m.Field)
		checks[i] = e.Call("UnionMember", e.IsSet(f, e.Obj), e.FieldValue(d, e.Obj)+" == "+tag.Quote(m.Value), tag.Quote(f.JSON), tag.Quote(d.JSON), tag.Quote(m.Value))
	}
	return e.Validate("All") + "(\n" + strings.Join(checks, ",\n") + ",\n)"
}

// schema says the same over has(). Every rule is about the struct, and fails at
// the member's own path.
func schema(n *tag.Node, c *model.Constraint, s *tag.Schema) {
	u, first := union(n, c)
	if u == nil || !first || s.Parent == nil {
		return
	}
	d := n.Owner.Field(u.Discriminator)
	if d == nil {
		undiscriminated(n, u, s)
		return
	}
	name := "self." + tag.CELName(d.JSON)
	for _, m := range u.Members {
		f := n.Owner.Field(m.Field)
		set := tag.CELSet(n.Model, "self", f)
		is := "has(" + name + ") && " + name + " == " + tag.CELString(m.Value)
		s.ParentRule(tag.CELRule("!("+is+") || "+set, fmt.Sprintf("must be specified when `%s` is %q", d.JSON, m.Value), tag.ReasonInvalid, f.JSON))
		s.ParentRule(tag.CELRule("("+is+") || !"+set, fmt.Sprintf("may only be specified when `%s` is %q", d.JSON, m.Value), tag.ReasonInvalid, f.JSON))
	}
}

func undiscriminated(n *tag.Node, u *model.Union, s *tag.Schema) {
	names, sets := make([]string, len(u.Members)), make([]string, len(u.Members))
	for i, m := range u.Members {
		f := n.Owner.Field(m.Field)
		names[i], sets[i] = "`"+f.JSON+"`", tag.CELSet(n.Model, "self", f)
	}
	s.ParentRule(tag.CELRule("["+strings.Join(sets, ", ")+"].filter(set, set).size() == 1",
		"must specify exactly one of: "+strings.Join(names, ", "), tag.ReasonInvalid, ""))
}
