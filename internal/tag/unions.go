package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Union is a union of fields of one struct, or of items of one list.
type Union struct {
	Name string
	// ZeroOrOne is set if a union without a set member is valid.
	ZeroOrOne bool
	// Discriminator is the field that selects the member, nil for none. Through are the inlined
	// structs that lead to it, Conditions the conditions of its tag.
	Discriminator *model.Field
	Through       []*model.Field
	Conditions    []*model.Tag
	// Required is set if a discriminator must not be empty, unless its enum has the empty string.
	Required bool
	Members  []Member
	// place names the union in generated code.
	place string
}

// Member is a member of a union: a field, or the item with certain keys.
type Member struct {
	// Name is the name in errors.
	Name string
	// Field is the field, Through are the inlined structs that lead to it.
	Field   *model.Field
	Through []*model.Field
	Keys    []KeyValue
	// Value is the discriminator's value that selects the member.
	Value string
	// Conditions are the conditions of the member's tag.
	Conditions []*model.Tag
	Span       source.Span

	tag *model.Tag
}

// tagUse is a tag on a field of a struct or on an item of a list, with its conditions.
type tagUse struct {
	node  *Node
	tag   *model.Tag
	under []*model.Tag
	// selector returns the keys of an item as written.
	selector string
}

// around returns the tags on all fields of the enclosing struct, in their order; for a subfield,
// the subfield tags on its parent; for an item, the tags on all items.
func (n *Node) around() []tagUse {
	var all []tagUse
	if n.Scope == OnField && !n.IsPart() {
		for _, f := range n.Owner.Fields {
			node := FieldNode(n.Model, n.Tags, n.Owner, f)
			for _, c := range f.Tags {
				if bare, under := c.Bare(); bare != nil {
					all = append(all, tagUse{node: node, tag: bare, under: under})
				}
			}
		}
		return all
	}
	if n.Parent == nil {
		return nil
	}
	for _, c := range n.Parent.Siblings {
		outer, under := c.Bare()
		if outer == nil || outer.At != model.AtField && outer.At != model.AtItem || outer.Inner == nil {
			continue
		}
		node := n.Parent.Inner(outer)
		bare, inner := outer.Inner.Bare()
		if node == nil || bare == nil || node.IsPart() != n.IsPart() {
			continue
		}
		all = append(all, tagUse{node: node, tag: bare, under: slices.Concat(under, inner), selector: selector(outer)})
	}
	return all
}

func selector(item *model.Tag) string {
	parts := make([]string, len(item.Args))
	for i, a := range item.Args {
		value := a.Value.Text
		if a.Value.Kind == model.StringValue || a.Value.Kind == model.IdentValue {
			value = Quote(value)
		}
		parts[i] = Quote(a.Name) + ": " + value
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// UnionOf returns the union of a member's tag, and whether the tag is that of the first member,
// which has the union's rules. The two kinds of members belong to different unions.
func UnionOf(n *Node, c *model.Tag) (u *Union, first bool) {
	u = &Union{Name: c.ArgText("union"), ZeroOrOne: c.Role == model.RoleZeroOrOneOfMember, place: n.unionPlace()}
	for _, t := range n.around() {
		switch {
		case t.tag.ArgText("union") != u.Name:
		case t.tag.Role == model.RoleUnionDiscriminator && !u.ZeroOrOne:
			if u.Discriminator == nil {
				u.Discriminator, u.Through, u.Conditions = t.node.Field, t.node.Through, t.under
				u.Required = model.HasBare(t.node.Siblings, model.RoleRequired) || model.HasBare(t.node.Field.Tags, model.RoleRequired)
			}
		case t.tag.Role == model.RoleZeroOrOneOfMember && u.ZeroOrOne, t.tag.Role == model.RoleUnionMember && !u.ZeroOrOne:
			u.Members = append(u.Members, member(t))
		}
	}
	return u, len(u.Members) > 0 && u.Members[0].tag == c
}

func member(t tagUse) Member {
	m := Member{Value: t.tag.ArgText("memberName"), Conditions: t.under, Span: t.tag.Span, tag: t.tag}
	if t.node.Keys != nil {
		m.Keys, m.Name = t.node.Keys, t.node.Parent.listName()+"["+t.selector+"]"
		return m
	}
	m.Field, m.Through, m.Name = t.node.Field, t.node.Through, t.node.Field.JSON
	if m.Value == "" {
		m.Value = m.Field.Name
	}
	return m
}

// listName returns the name of a list in errors: its field, or its type.
func (n *Node) listName() string {
	if n.Scope == OnType || n.Field == nil {
		return n.Owner.Name
	}
	return n.Field.JSON
}

// unionPlace returns the node's name in generated code.
func (n *Node) unionPlace() string {
	if n.Scope == OnField && !n.IsPart() || n.Parent == nil {
		return n.Owner.Name
	}
	if n.Parent.Scope == OnType {
		return n.Parent.Owner.Name
	}
	place := n.Parent.Owner.Name + n.Parent.Field.Name
	if n.Parent.IsPart() {
		place = n.Parent.unionPlace() + n.Parent.Field.Name
	}
	return place
}

// IsMember reports whether a tag, with or without conditions, makes the node a member of a union.
func (n *Node) IsMember(c *model.Tag) bool {
	bare, _ := c.Bare()
	return n.Keys != nil && bare != nil && bare.Role.IsMember()
}

// uniform reports whether all tags of the union have the same conditions.
func (u *Union) uniform() bool {
	all := make([][]*model.Tag, 0, len(u.Members)+1)
	for _, m := range u.Members {
		all = append(all, m.Conditions)
	}
	if u.Discriminator != nil {
		all = append(all, u.Conditions)
	}
	for _, under := range all {
		if !slices.EqualFunc(under, all[0], model.SameCondition) {
			return false
		}
	}
	return true
}
