package model

// The tags that make unions.
const (
	unionMemberTag        = "k8s:unionMember"
	zeroOrOneOfMemberTag  = "k8s:zeroOrOneOfMember"
	unionDiscriminatorTag = "k8s:unionDiscriminator"
)

// UnionsOf reads the unions off the tags of a struct's fields, in the order of
// each union's first tag. Tags under conditions count: when such a member is one
// is said with it. It reports nothing: mistakes in a union are the tags' to find.
func UnionsOf(t *Type) []*Union {
	var unions []*Union
	byName := map[string]*Union{}
	union := func(c *Constraint) *Union {
		name := c.ArgText("union")
		u := byName[name]
		if u == nil {
			u = &Union{Name: name, Span: c.Span}
			byName[name] = u
			unions = append(unions, u)
		}
		return u
	}
	for _, f := range t.Fields {
		for _, outer := range f.Constraints {
			c, under := outer.Bare()
			if c == nil {
				continue
			}
			switch c.Name {
			case unionDiscriminatorTag:
				if u := union(c); u.Discriminator == "" {
					u.Discriminator, u.Conditions = f.Name, under
				}
			case unionMemberTag, zeroOrOneOfMemberTag:
				u := union(c)
				u.ZeroOrOne = u.ZeroOrOne || c.Name == zeroOrOneOfMemberTag
				value := c.ArgText("memberName")
				if value == "" {
					value = f.Name
				}
				u.Members = append(u.Members, Member{Field: f.Name, Value: value, Conditions: under, Span: c.Span})
			}
		}
	}
	return unions
}
