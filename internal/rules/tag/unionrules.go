package tag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// UnionRules lowers a tag of a union member. The first member has the rules of the union.
func UnionRules(name string) func(n *Node, c *model.Tag) []rule.Rule {
	return func(n *Node, c *model.Tag) []rule.Rule {
		u, first := UnionOf(n, c)
		p := n.Model.Package(n.Owner.Package)
		if !first || u.IsOlder() && p != nil && p.External {
			return nil // types of other modules describe what their own API servers do
		}
		r := rule.Rule{Tag: name, Around: n.Scope != OnType, Moment: rule.OnChange, Must: u.predicate(n), Errors: u.errors()}
		if u.Strict {
			r.Moment = rule.Always
		}
		return []rule.Rule{r}
	}
}

func (u *Union) predicate(n *Node) *rule.Union {
	p := &rule.Union{Name: u.Name, Place: u.place, ZeroOrOne: u.ZeroOrOne || u.IsOlder(), Mixed: !u.uniform(), Text: u.Text, Strict: u.Strict}
	under := func(list []*model.Tag) []rule.Condition {
		if !p.Mixed {
			return nil // the rule has them
		}
		return ConditionsOf(list)
	}
	if d := u.Discriminator; d != nil {
		p.Discriminator = &rule.Discriminator{Field: n.SiblingPath(d, u.Through), Under: under(u.Conditions)}
		p.Discriminator.Values, p.Discriminator.Open = u.values(n)
		// Which rules the discriminator has by itself.
		p.Declared = EnumOf(n.Model, d.Type) != nil
		p.Required = model.HasBare(d.Tags, model.RoleRequired) && !p.Discriminator.Allows("")
	}
	for _, m := range u.Members {
		member := rule.Member{Name: m.Name, Value: m.Value, Optional: m.Optional, Under: under(m.Conditions)}
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

// values returns the values that the discriminator may have: those of its enum, and "" if it may be
// unset. It is open if its type is no enum.
func (u *Union) values(n *Node) (values []rule.EnumValue, open bool) {
	enum := EnumOf(n.Model, u.Discriminator.Type)
	if u.Text != rule.Declarative {
		if listed := markedValues(u.Discriminator); listed != nil {
			return listed, false
		}
		enum = MarkedEnumOf(n.Model, u.Discriminator.Type)
	}
	if enum != nil {
		values = EnumConstants(enum)
	}
	isEmpty := func(v rule.EnumValue) bool { return v.Value == "" }
	if !u.Required && !slices.ContainsFunc(values, isEmpty) {
		values = append(values, rule.EnumValue{})
	}
	return values, enum == nil
}

// errors are the errors of the union. A discriminated union reports them at its members.
func (u *Union) errors() []rule.Error {
	switch {
	case u.Text == rule.Older:
		return []rule.Error{{Type: "Invalid", Origin: "union"}}
	case u.Discriminator == nil && u.ZeroOrOne:
		return []rule.Error{{Type: "Invalid", Origin: "zeroOrOneOf"}}
	case u.Discriminator == nil:
		return []rule.Error{{Type: "Invalid", Origin: "union"}}
	}
	var list []rule.Error
	if u.Text == rule.Newer {
		list = append(list, rule.Error{Type: "Invalid", Origin: "union"}, rule.Error{Type: "NotSupported", Origin: "union", At: u.Discriminator.JSON})
		for _, m := range u.Members {
			list = append(list, rule.Error{Type: "Forbidden", Origin: "union", At: m.Name})
			if !m.Optional {
				list = append(list, rule.Error{Type: "Required", Origin: "union", At: m.Name})
			}
		}
		return list
	}
	for _, m := range u.Members {
		list = append(list, rule.Error{Type: "Invalid", Origin: "union", At: m.Name})
	}
	if len(Options(u.Conditions)) > 0 && !u.uniform() {
		list = append(list, rule.Error{Type: "Invalid", Origin: "union"})
	}
	return list
}

// Options returns the conditions of a tag that are options.
func Options(under []*model.Tag) []*model.Tag {
	var found []*model.Tag
	for _, c := range under {
		if c.Role.IsOption() {
			found = append(found, c)
		}
	}
	return found
}
