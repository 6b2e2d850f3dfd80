package tag

import (
	"fmt"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
)

// Schema says over has() what Rules says, of the members that there are on the
// API servers that the schema is for. It says it once, from the first of them,
// which is what c has to be. Rules are about the struct or the list, and those
// of a discriminated union fail at the member's own path.
func (u *Union) Schema(n *Node, c *model.Constraint, s *Schema) {
	var members []Member
	for _, m := range u.Members {
		if holds, _ := s.Projection.Holds(m.Conditions...); holds {
			members = append(members, m)
		}
	}
	if len(members) == 0 || members[0].tag != c {
		return
	}
	d := u.Discriminator
	if holds, _ := s.Projection.Holds(u.Conditions...); d == nil || !holds {
		u.undiscriminated(n, members, s)
		return
	}
	name := "self." + CELName(d.JSON)
	for _, m := range members {
		set := CELSet(n.Model, "self", m.Field)
		is := "has(" + name + ") && " + name + " == " + CELString(m.Value)
		s.ParentRule(CELRule("!("+is+") || "+set, fmt.Sprintf("must be specified when `%s` is %q", d.JSON, m.Value), ReasonInvalid, m.Name))
		s.ParentRule(CELRule("("+is+") || !"+set, fmt.Sprintf("may only be specified when `%s` is %q", d.JSON, m.Value), ReasonInvalid, m.Name))
	}
}

func (u *Union) undiscriminated(n *Node, members []Member, s *Schema) {
	size, message := "== 1", "must specify exactly one of: "
	if u.ZeroOrOne {
		size, message = "<= 1", "must specify at most one of: "
	}
	list := ""
	if n.Keys != nil {
		list = "self"
		// A list that is not there has no members; only the struct can tell.
		if u.mayBeMissing(n, s) {
			list += "." + CELName(n.Parent.Field.JSON)
		}
	}
	names, sets := make([]string, len(members)), make([]string, len(members))
	for i, m := range members {
		names[i] = "`" + m.Name + "`"
		if m.Keys == nil {
			sets[i] = CELSet(n.Model, "self", m.Field)
			continue
		}
		has, reason := CELHasKeys(n.Model, "i", m.Keys)
		if reason != "" {
			s.Unprojectable(reason)
			return
		}
		sets[i] = list + ".exists(i, " + has + ")"
		if list != "self" {
			sets[i] = "has(" + list + ") && " + sets[i]
		}
	}
	rule := CELRule("["+strings.Join(sets, ", ")+"].filter(set, set).size() "+size, message+strings.Join(names, ", "), ReasonInvalid, "")
	switch {
	case list == "self":
		s.Rule(rule)
	case list != "":
		rule.FieldPath = FieldPath(n.Parent.Field.JSON)
		s.ParentRule(rule)
	default:
		s.ParentRule(rule)
	}
}

// mayBeMissing reports whether a list may be missing although one of its items
// must be there.
func (u *Union) mayBeMissing(n *Node, s *Schema) bool {
	list := n.Parent
	return !u.ZeroOrOne && list.Scope == OnField && s.Parent != nil && !list.Says("k8s:optional") && !list.Says("k8s:required")
}
