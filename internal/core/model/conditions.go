package model

import "slices"

// IsCondition reports whether the tag is a condition or a stability level of its inner tag. The
// meaning of the inner tag for the shape of an API (that a list is a map, that a field is the
// member of a union) does not depend on it.
func (c *Tag) IsCondition() bool { return c.Role.IsCondition() }

// Is reports whether the tag has one of the given roles.
func (c *Tag) Is(roles ...Role) bool { return c.Role != "" && slices.Contains(roles, c.Role) }

// Bare returns the tag inside its conditions, and the conditions, outermost first. It returns nil
// if conditions have no inner tag.
func (c *Tag) Bare() (bare *Tag, under []*Tag) {
	for c != nil && c.IsCondition() {
		under = append(under, c)
		c = c.Inner
	}
	return c, under
}

// Bare returns the tags of a list without their conditions.
func Bare(list []*Tag) []*Tag {
	out := make([]*Tag, 0, len(list))
	for _, c := range list {
		if bare, _ := c.Bare(); bare != nil {
			out = append(out, bare)
		}
	}
	return out
}

// Find returns the tags with one of the given roles.
func Find(list []*Tag, roles ...Role) []*Tag {
	var found []*Tag
	for _, c := range list {
		if c.Is(roles...) {
			found = append(found, c)
		}
	}
	return found
}

// Has reports whether the list has a tag with one of the given roles.
func Has(list []*Tag, roles ...Role) bool {
	return slices.ContainsFunc(list, func(c *Tag) bool { return c.Is(roles...) })
}

// HasBare reports whether the list has a tag with one of the given roles, with or without conditions.
func HasBare(list []*Tag, roles ...Role) bool { return Has(Bare(list), roles...) }
