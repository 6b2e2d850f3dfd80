package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// MemberCodes are the codes of CheckMember.
type MemberCodes struct {
	EachValue   diag.Code // on all values of a list
	OnlyOne     diag.Code // the union has no other member
	StructValue diag.Code // a struct that is always set
	NotOptional diag.Code // the field is not marked optional
	Default     diag.Code // the field has a default
	ValueTaken  diag.Code // another member has the same field, item or value
}

// CheckMember reports the mistakes in one member of a union.
func CheckMember(codes MemberCodes, n *Node, c *model.Tag, bag *diag.Bag) {
	if n.Scope == OnValue && n.Keys == nil {
		bag.Errorf(c.Span, codes.EachValue, "all items of a list cannot be one member of a union; select an item with +%s(<key>: <value>)=+%s", n.Tags.WithRole(model.RoleItem), c.Name)
		return
	}
	u, first := UnionOf(n, c)
	if n.Keys == nil {
		checkMemberField(codes, n, c, bag)
	}
	if first && len(u.Members) == 1 {
		bag.Warnf(c.Span, codes.OnlyOne, "union%s has only one member, %s; add others or remove the tag", named(u), u.Members[0].display()).
			Voids(diag.Meaning(c.Span))
	}
	CheckValueTaken(codes.ValueTaken, u, c, bag)
}

// SelectedCodes are the codes of CheckSelected.
type SelectedCodes struct {
	IsDiscriminator diag.Code // the member is the discriminator itself
	NotAValue       diag.Code // the discriminator does not have the member's value
}

// CheckSelected reports a member that its union's discriminator cannot select.
func CheckSelected(codes SelectedCodes, n *Node, c *model.Tag, bag *diag.Bag) {
	u, _ := UnionOf(n, c)
	switch {
	case u.Discriminator == nil || n.Scope != OnField:
	case u.Discriminator == n.Field:
		bag.Errorf(c.Span, codes.IsDiscriminator, "field %s is the discriminator of the union, so it cannot be a member too; remove one of the tags", n.Field.Name)
	default:
		CheckMemberValue(codes.NotAValue, n, u, c, bag)
	}
}

func (m Member) display() string {
	if m.Field != nil {
		return m.Field.Name
	}
	return m.Name
}

func checkMemberField(codes MemberCodes, n *Node, c *model.Tag, bag *diag.Bag) {
	if IsStructValue(n.Model, n.Type) {
		d := bag.Errorf(c.Span, codes.StructValue, "member %s is a non-pointer struct, so it is always set; make it *%s", n.Field.Name, n.TypeName())
		if !n.IsPart() {
			d.Suggest(n.Field.TypeSpan, "*"+n.Field.TypeSpan.Text(), "make the field a pointer")
		}
		return
	}
	if n.IsPart() {
		return // the author cannot change the field
	}
	if !n.Has(model.RoleOptional) && !presenceUnder(n) {
		bag.Warnf(c.Span, codes.NotOptional, "member %s must be optional, since at most one member is set; add +%s", n.Field.Name, n.Tags.WithRole(model.RoleOptional))
	}
	CheckMemberDefault(bag.Warnf, codes.Default, n, c)
}

// CheckMemberDefault reports a member with a default, its own or that of its type: it is always set.
func CheckMemberDefault(report func(source.Span, diag.Code, string, ...any) *diag.Diagnostic, code diag.Code, n *Node, c *model.Tag) {
	switch d, from := n.Model.DeclaredDefault(n.Field); {
	case d == nil:
	case from == nil:
		report(d.Span, code, "member %s of a union has a default, which sets it regardless of the discriminator; remove the default", n.Field.Name).
			RestsOn(diag.Meaning(c.Span))
	default:
		report(c.Span, code, "member %s of a union has the default of its type %s, which sets it regardless of the discriminator; use a type without a default", n.Field.Name, from.Name).
			RestsOn(n.TypeOf()).Note(d.Span, "the default")
	}
}

// presenceUnder reports whether a nesting tag sets the field's presence, such as
// ifEnabled(X)=+k8s:optional.
func presenceUnder(n *Node) bool {
	for _, s := range n.Siblings {
		for in := s.Inner; in != nil; in = in.Inner {
			if in.Is(model.RoleOptional, model.RoleForbidden) {
				return true
			}
		}
	}
	return false
}

// CheckValueTaken reports two members with the same keys, or with the same discriminator value.
func CheckValueTaken(code diag.Code, u *Union, c *model.Tag, bag *diag.Bag) {
	i := slices.IndexFunc(u.Members, func(m Member) bool { return m.tag == c })
	if i < 0 {
		return
	}
	this := u.Members[i]
	for _, m := range u.Members[:i] {
		switch {
		case m.Keys != nil && slices.Equal(m.Keys, this.Keys):
			bag.Errorf(c.Span, code, "item %s is already a member; remove one of the tags", m.Name).
				Note(m.Span, "it is here")
		case m.Keys == nil && m.Field == this.Field:
			bag.Errorf(c.Span, code, "field %s is already a member of the union; remove one of the tags, or name another union with (union: \"…\")", m.Field.Name).
				Note(m.Span, "it is here")
		case m.Keys == nil && m.Value == this.Value:
			bag.Errorf(valueSpan(c), code, "members %s and %s are both selected by %q; change the memberName of one", m.Field.Name, this.Field.Name, m.Value).
				Note(m.Span, "%s is here", m.Field.Name)
		}
	}
}

func valueSpan(c *model.Tag) source.Span {
	if v := c.Arg("memberName"); v != nil {
		return v.Span
	}
	return c.NameSpan
}

// CheckMemberValue reports a member whose value is not one of the discriminator's.
func CheckMemberValue(code diag.Code, n *Node, u *Union, c *model.Tag, bag *diag.Bag) {
	enum := MarkedEnumOf(n.Model, u.Discriminator.Type)
	if enum == nil || markedValues(u.Discriminator) != nil {
		return
	}
	value, place := c.ArgText("memberName"), valueSpan(c)
	if value == "" {
		value = n.Field.Name
	}
	var values []string
	for _, v := range EnumValues(enum) {
		if v.Value == value {
			return
		}
		values = append(values, v.Value)
	}
	report := bag.Errorf(place, code, "%q is not a value of %s, so the discriminator cannot select member %s; use one of: %s", value, enum.Name, n.Field.Name, strings.Join(values, ", ")).
		Note(u.Discriminator.Span, "the discriminator")
	if p := n.Model.Package(enum.Package); p != nil {
		for _, k := range p.Consts {
			if k.Among == enum.Name && k.Value == value {
				report.Note(k.Span, "constant %s has no type, so it is not a value of %s; write %[1]s %[2]s = %[3]q", k.Name, enum.Name, k.Value)
			}
		}
	}
	for _, v := range values {
		if strings.EqualFold(v, value) && (place.Text() == Quote(value) || place.Text() == value) {
			report.Suggest(place, strings.Replace(place.Text(), value, v, 1), "use %q", v)
		}
	}
}

func named(u *Union) string {
	if u.Name == "" {
		return ""
	}
	return " " + u.Name
}
