package tag

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// UnionRules lowers a tag that makes a place a member of a union. The first member
// of the union speaks for all of it.
func UnionRules(name string) func(n *Node, c *model.Constraint) []rule.Rule {
	return func(n *Node, c *model.Constraint) []rule.Rule {
		u, first := UnionOf(n, c)
		if !first {
			return nil
		}
		return []rule.Rule{{Tag: name, Around: true, Moment: rule.OnChange, Must: u.predicate(n), Errors: u.errors()}}
	}
}

func (u *Union) predicate(n *Node) *rule.Union {
	p := &rule.Union{Name: u.Name, Place: u.place, ZeroOrOne: u.ZeroOrOne, Mixed: !u.uniform()}
	under := func(list []*model.Constraint) []rule.Condition {
		if !p.Mixed {
			return nil // the rule has them
		}
		return ConditionsOf(list)
	}
	if d := u.Discriminator; d != nil {
		p.Discriminator = &rule.Discriminator{Field: n.SiblingPath(d, u.Through), Under: under(u.Conditions)}
	}
	for _, m := range u.Members {
		member := rule.Member{Name: m.Name, Value: m.Value, Under: under(m.Conditions)}
		if m.Keys == nil {
			path := n.SiblingPath(m.Field, m.Through)
			member.Field = &path
		} else {
			item := *n
			item.Keys = m.Keys
			member.Keys = item.KeyValues()
		}
		p.Members = append(p.Members, member)
	}
	return p
}

// errors are the errors of the union. Those of a discriminated one are at its
// members.
func (u *Union) errors() []rule.Error {
	switch {
	case u.Discriminator == nil && u.ZeroOrOne:
		return []rule.Error{{Type: "Invalid", Origin: "zeroOrOneOf"}}
	case u.Discriminator == nil:
		return []rule.Error{{Type: "Invalid", Origin: "union"}}
	}
	var list []rule.Error
	for _, m := range u.Members {
		list = append(list, rule.Error{Type: "Invalid", Origin: "union", At: m.Name})
	}
	if len(Options(u.Conditions)) > 0 && !u.uniform() {
		list = append(list, rule.Error{Type: "Invalid", Origin: "union"})
	}
	return list
}

// Options returns the tags on options among the conditions that a tag is under.
func Options(under []*model.Constraint) []*model.Constraint {
	var found []*model.Constraint
	for _, c := range under {
		if c.Role.IsOption() {
			found = append(found, c)
		}
	}
	return found
}
