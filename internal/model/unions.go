package model

// UnionsOf reads the unions off the tags of a struct's fields, in the order of
// each union's first tag. Unions of the two kinds of members are different ones,
// whatever their names. Tags under conditions count: when such a member is one
// is said with it. It reports nothing: mistakes in a union are the tags' to find.
func UnionsOf(t *Type) []*Union {
	var unions []*Union
	type key struct {
		name      string
		zeroOrOne bool
	}
	byKey := map[key]*Union{}
	union := func(c *Tag) *Union {
		k := key{c.ArgText("union"), c.Role == RoleZeroOrOneOfMember}
		u := byKey[k]
		if u == nil {
			u = &Union{Name: k.name, ZeroOrOne: k.zeroOrOne, Span: c.Span}
			byKey[k] = u
			unions = append(unions, u)
		}
		return u
	}
	var discriminators []*Field
	var members []kepMember
	for _, f := range t.Fields {
		for _, outer := range f.Tags {
			c, under := outer.Bare()
			if c == nil {
				continue
			}
			switch c.Role {
			case RoleUnionDiscriminator:
				if u := union(c); u.Discriminator == "" {
					u.Discriminator, u.Conditions = f.Name, under
				}
			case RoleKEPDiscriminator:
				discriminators = append(discriminators, f)
			case RoleKEPMember:
				members = append(members, kepMember{f, c})
			case RoleUnionMember, RoleZeroOrOneOfMember:
				u := union(c)
				value := c.ArgText("memberName")
				if value == "" {
					value = f.Name
				}
				u.Members = append(u.Members, Member{Field: f.Name, Value: value, Conditions: under, Span: c.Span})
			}
		}
	}
	for _, d := range discriminators {
		u := &Union{Discriminator: d.Name, Span: d.Span}
		for _, m := range members {
			if by := DiscriminatedBy(m.field); by != d.Name && (by != "" || len(discriminators) > 1) {
				continue
			}
			value := m.tag.ArgText("memberName")
			if value == "" {
				value = m.field.Name
			}
			u.Members = append(u.Members, Member{Field: m.field.Name, Value: value, Span: m.tag.Span})
		}
		unions = append(unions, u)
	}
	return unions
}

type kepMember struct {
	field *Field
	tag   *Tag
}

// DiscriminatedBy returns the Go name of the discriminator that a member of a union of KEP-1027
// names, or "".
func DiscriminatedBy(f *Field) string {
	for _, c := range Find(f.Tags, RoleDiscriminatedBy) {
		return c.Text()
	}
	return ""
}

// SameCondition compares what two conditions depend on; since when is history.
func SameCondition(a, b *Tag) bool { return a.Role == b.Role && a.ArgText("") == b.ArgText("") }
