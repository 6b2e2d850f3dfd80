package tag

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// IsOlder reports whether the union is of the older text of KEP-1027.
func (u *Union) IsOlder() bool { return u.Text == rule.Older }

// Values returns the values of the discriminator's enum, nil if it is none.
func (u *Union) Values(n *Node) []rule.EnumValue {
	values, open := u.values(n)
	if open {
		return nil
	}
	return values
}

// HasEmpty reports whether the empty string is one of the values.
func HasEmpty(values []rule.EnumValue) bool {
	return slices.ContainsFunc(values, func(v rule.EnumValue) bool { return v.Value == "" })
}

// HasUnions reports whether the node's struct has unions.
func (n *Node) HasUnions() bool { return len(n.unions()) > 0 }

// KEPDiscriminators returns the number of fields of the struct with +unionDiscriminator.
func (n *Node) KEPDiscriminators() int {
	count := 0
	for _, f := range n.Owner.Fields {
		if model.HasBare(f.Tags, model.RoleKEPDiscriminator) {
			count++
		}
	}
	return count
}

// IsConditional reports whether a tag of a field is within a condition.
func IsConditional(n *Node, c *model.Tag) bool {
	return !slices.Contains(n.Siblings, c)
}

// CanBeNil reports whether the value can be nil, and is then not in JSON.
func (n *Node) CanBeNil() bool {
	switch n.Model.Underlying(n.Type).Kind {
	case model.KindPointer, model.KindSlice, model.KindMap, model.KindInterface:
		return true
	}
	return false
}

// AlwaysInJSON reports whether the field is required, or Go always writes it.
func (n *Node) AlwaysInJSON() bool { return n.presence().Required }

// IsMarkedRequired reports whether a tag or a marker of another tool makes the field required.
func (n *Node) IsMarkedRequired() bool {
	by := n.presence()
	return by.Required && by.Declared
}

// IsMarkedOptional reports whether a tag, a marker of another tool, or omitempty makes the field
// optional.
func (n *Node) IsMarkedOptional() bool { return !n.presence().Required }

func (n *Node) presence() model.Presence {
	return n.Model.PresenceOf(n.Owner, n.Field, model.Bare(n.Siblings))
}

// CheckMemberName warns about a member whose value is not its JSON name, apart from case.
func CheckMemberName(code diag.Code, n *Node, u *Union, c *model.Tag, bag *diag.Bag) {
	i := slices.IndexFunc(u.Members, func(m Member) bool { return m.tag == c })
	if i < 0 || strings.EqualFold(u.Members[i].Value, n.Field.JSON) {
		return
	}
	bag.Warnf(valueSpan(c), code, "the value %q selects field %s, which is %q in JSON; use one name for both, apart from case", u.Members[i].Value, n.Field.Name, n.Field.JSON).
		RestsOn(diag.Meaning(valueSpan(c)))
}

// IsDiscriminator reports whether a field selects the member of a union.
func IsDiscriminator(f *model.Field) bool {
	return model.HasBare(f.Tags, model.RoleUnionDiscriminator, model.RoleKEPDiscriminator)
}

// IsRequired reports whether objects must have a field of a struct, by the tags that hold in a projection.
func IsRequired(m *model.Model, t *model.Type, f *model.Field, projection rule.Projection) bool {
	return !AllowsEmpty(m, f) && m.PresenceOf(t, f, Held(projection, f.Tags)).Required
}

// AllowsEmpty reports whether a field selects the member of a union, and the empty string is a value
// of its enum. Even if the field is required, it may then be unset, which is the same.
func AllowsEmpty(m *model.Model, f *model.Field) bool {
	if f == nil || !IsDiscriminator(f) {
		return false
	}
	enum := MarkedEnumOf(m, f.Type)
	return enum != nil && slices.ContainsFunc(EnumValues(enum), func(c *model.Const) bool { return c.IsString && c.Value == "" })
}

// CheckReplacement reports a value of an enum that replaces another in older versions, if it is a
// discriminator's and selects a member that must be set.
func CheckReplacement(code diag.Code, m *model.Model, p *model.Package, enum *model.Type, value *model.Value, bag *diag.Bag) {
	if value == nil {
		return
	}
	for _, t := range p.Types {
		for _, u := range TypeNode(m, nil, t).unions() {
			if u.Discriminator == nil || u.IsOlder() || !m.Is(u.Discriminator.Type, enum.ID()) {
				continue
			}
			for _, m := range u.Members {
				if m.Value == value.Text && !m.Optional {
					bag.Errorf(value.Span, code, "older objects get %q, but lack member %s of %s, which that selects; name a value that selects no member", value.Text, m.display(), t.Name).
						Note(m.Span, "the member is here")
				}
			}
		}
	}
}
