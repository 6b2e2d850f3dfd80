package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Union is a union of fields of one struct, or of items of one list.
type Union struct {
	Name string
	// Text is the text of the union's tags.
	Text rule.Text
	// ZeroOrOne is set if a union without a set member is valid.
	ZeroOrOne bool
	// Strict is set if the union is checked on all updates.
	Strict bool
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
	tags  []*model.Tag
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
	// Optional is set if the member may be unset although it is selected.
	Optional bool
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
	if (n.Scope == OnField || n.Scope == OnType) && n.Parent == nil {
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

// UnionOf returns the union of a tag, and whether the tag is that of the first member, which has the
// union's rules. Unions of different texts, and the two kinds of members of the +k8s: tags, are
// different unions.
func UnionOf(n *Node, c *model.Tag) (u *Union, first bool) {
	for _, u := range n.unions() {
		if slices.Contains(u.tags, c) {
			return u, len(u.Members) > 0 && u.Members[0].tag == c
		}
	}
	return &Union{Name: c.ArgText("union"), ZeroOrOne: c.Role == model.RoleZeroOrOneOfMember, place: n.unionPlace()}, false
}

// UnionsOf returns the unions of a struct's fields.
func UnionsOf(m *model.Model, tags *Set, t *model.Type) []*Union {
	if len(t.Fields) == 0 {
		return nil
	}
	return FieldNode(m, tags, t, t.Fields[0]).unions()
}

// unions returns the unions of the enclosing struct or list.
func (n *Node) unions() []*Union {
	f := unionFinder{node: n, uses: n.around()}
	f.readText()
	if f.whole != nil {
		u := f.union(rule.Older, "", false)
		u.tags = append(u.tags, f.whole)
	}
	for _, t := range f.uses {
		if u := f.use(t); u != nil {
			u.tags = append(u.tags, t.tag)
		}
	}
	if f.whole != nil {
		f.union(rule.Older, "", false).addFields(n, f.whole)
	}
	if t := n.enclosing(); t != nil {
		for _, u := range f.list {
			u.Strict = model.Has(t.Tags, model.RoleUnionStrict)
		}
	}
	return f.list
}

// unionFinder finds the unions that a struct or a list has.
type unionFinder struct {
	node *Node
	uses []tagUse
	// whole is the tag of a struct that is a union, in the older text of KEP-1027.
	whole *model.Tag
	// older is set if the comments are those of the older text.
	older bool
	// discriminators are those of the newer text, unless older is set.
	discriminators []tagUse
	list           []*Union
}

// readText reads in which text of KEP-1027 the unions are, if in one.
func (f *unionFinder) readText() {
	members, newer := false, false
	if t := f.node.enclosing(); t != nil {
		if tags := model.Find(t.Tags, model.RoleOlderUnion); len(tags) > 0 {
			f.whole = tags[0]
		}
	}
	for _, t := range f.uses {
		members = members || t.tag.Role == model.RoleOlderMember
		newer = newer || t.tag.Role == model.RoleKEPMember
		if t.tag.Role == model.RoleKEPDiscriminator {
			f.discriminators = append(f.discriminators, t)
		}
	}
	if newer {
		f.whole = nil // +union is also written above unions of the newer text
	}
	f.older = f.whole != nil || members
}

// union returns the union of a name, which it adds if there is none.
func (f *unionFinder) union(text rule.Text, name string, zeroOrOne bool) *Union {
	for _, u := range f.list {
		if u.Text == text && u.Name == name && u.ZeroOrOne == zeroOrOne {
			return u
		}
	}
	u := &Union{Text: text, Name: name, ZeroOrOne: zeroOrOne, place: f.node.unionPlace()}
	f.list = append(f.list, u)
	return u
}

// use adds a discriminator or a member to its union, and returns the union; nil for other tags.
func (f *unionFinder) use(t tagUse) *Union {
	switch t.tag.Role {
	case model.RoleUnionDiscriminator:
		return f.union(rule.Declarative, t.tag.ArgText("union"), false).discriminate(t)
	case model.RoleUnionMember, model.RoleZeroOrOneOfMember:
		return f.union(rule.Declarative, t.tag.ArgText("union"), t.tag.Role == model.RoleZeroOrOneOfMember).add(t)
	case model.RoleKEPDiscriminator:
		if f.older {
			return f.union(rule.Older, "", false).discriminate(t)
		}
		return f.union(rule.Newer, t.node.Field.Name, false).discriminate(t)
	case model.RoleKEPMember:
		name := model.DiscriminatedBy(t.node.Field)
		if name == "" && len(f.discriminators) == 1 {
			name = f.discriminators[0].node.Field.Name
		}
		return f.union(rule.Newer, name, false).add(t)
	case model.RoleOlderMember:
		name := ""
		if f.whole != nil {
			name = "deprecated"
		}
		return f.union(rule.Older, name, false).add(t)
	}
	return nil
}

// add adds a member.
func (u *Union) add(t tagUse) *Union {
	u.Members = append(u.Members, member(t))
	return u
}

// enclosing returns the struct with the node's fields; nil for a list.
func (n *Node) enclosing() *model.Type {
	switch {
	case n.Parent == nil:
		return n.Owner
	case n.IsPart():
		return n.Around()
	}
	return nil
}

// discriminate adds the discriminator, unless the union has one.
func (u *Union) discriminate(t tagUse) *Union {
	if u.Discriminator != nil {
		return u
	}
	u.Discriminator, u.Through, u.Conditions = t.node.Field, t.node.Through, t.under
	u.Required = u.Text == rule.Newer || model.HasBare(t.node.Siblings, model.RoleRequired) || model.HasBare(t.node.Field.Tags, model.RoleRequired)
	return u
}

// addFields adds all fields of a struct that is a union.
func (u *Union) addFields(n *Node, whole *model.Tag) {
	for _, f := range n.enclosing().Fields {
		if f.Skipped || f.Inline || f == u.Discriminator || model.HasBare(f.Tags, model.RoleOlderMember) {
			continue
		}
		m := Member{Field: f, Name: f.JSON, Value: f.Name, Optional: true, Span: f.Span, tag: whole}
		u.Members = append(u.Members, m)
	}
}

func member(t tagUse) Member {
	m := Member{Value: t.tag.ArgText("memberName"), Conditions: t.under, Span: t.tag.Span, tag: t.tag}
	m.Optional = t.tag.Role == model.RoleOlderMember || t.tag.ArgText("optional") == "true"
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
