package unionmember

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	u, first := union(n, c)
	if u == nil {
		return
	}
	checkField(n, c, bag)
	if first && len(u.Members) == 1 {
		bag.Warnf(c.Span, "unionmember/only-one", "union%s has only one member, %s; add the others or drop the tag", named(u), n.Field.Name)
	}
	value, place := n.Field.Name, c.NameSpan
	if v := c.Arg("memberName"); v != nil {
		value, place = v.Text, v.Span
	}
	for _, m := range u.Members {
		if m.Field == n.Field.Name {
			break
		}
		if m.Value == value {
			bag.Errorf(place, "unionmember/value-taken", "members %s and %s are both selected by %q; give one another memberName", m.Field, n.Field.Name, value).
				Note(m.Span, "%s is here", m.Field)
		}
	}
	if u.Discriminator == n.Field.Name {
		bag.Errorf(c.Span, "unionmember/is-discriminator", "field %s is the union's discriminator, so it cannot be a member too; drop one of the tags", n.Field.Name)
		return
	}
	checkValue(n, u, value, place, bag)
}

func checkField(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	if tag.ShapeOf(n.Model, n.Type) == tag.Structs && !n.IsPointer() {
		bag.Errorf(c.Span, "unionmember/struct-value", "member %s is a struct that is not behind a pointer, so it is always set; make it *%s", n.Field.Name, n.TypeName()).
			Suggest(n.Field.TypeSpan, "*"+n.Field.TypeSpan.Text(), "make the field a pointer")
		return
	}
	if !n.Has("k8s:optional") && !conditional(n) {
		bag.Errorf(c.Span, "unionmember/not-optional", "member %s must be optional, since at most one member is set; add +k8s:optional", n.Field.Name)
	}
	if d := n.Field.Default; d != nil {
		bag.Errorf(d.Span, "unionmember/default", "member %s of a union cannot have a default: it would be set whatever the discriminator says", n.Field.Name)
	}
}

// conditional reports whether the field's presence is said by a nesting tag,
// such as ifEnabled(X)=+k8s:optional.
func conditional(n *tag.Node) bool {
	for _, s := range n.Siblings {
		for in := s.Inner; in != nil; in = in.Inner {
			if in.Name == "k8s:optional" || in.Name == "k8s:forbidden" {
				return true
			}
		}
	}
	return false
}

// checkValue looks the member's value up among the discriminator's.
func checkValue(n *tag.Node, u *model.Union, value string, place source.Span, bag *diag.Bag) {
	d := n.Owner.Field(u.Discriminator)
	if d == nil {
		return
	}
	enum := tag.EnumOf(n.Model, d.Type)
	if enum == nil {
		return
	}
	var values []string
	for _, v := range tag.EnumValues(enum) {
		if v.Value == value {
			return
		}
		values = append(values, v.Value)
	}
	report := bag.Errorf(place, "unionmember/not-a-value", "%q is not a value of %s, so nothing selects member %s; use one of: %s", value, enum.Name, n.Field.Name, strings.Join(values, ", ")).
		Note(d.Span, "the discriminator is here")
	for _, v := range values {
		if strings.EqualFold(v, value) && place.Text() == tag.Quote(value) {
			report.Suggest(place, tag.Quote(v), "use %q", v)
		}
	}
}

func named(u *model.Union) string {
	if u.Name == "" {
		return ""
	}
	return " " + u.Name
}
