package model

import "slices"

// IsCondition reports whether the tag is a condition or a stability level of its inner tag. The
// meaning of the inner tag for the shape of an API (that a list is a map, that a field is the
// member of a union) does not depend on it.
func (c *Constraint) IsCondition() bool { return c.Role.IsCondition() }

// Is reports whether the tag has one of the given roles.
func (c *Constraint) Is(roles ...Role) bool { return c.Role != "" && slices.Contains(roles, c.Role) }

// Bare returns the tag inside its conditions, and the conditions, outermost first. It returns nil
// if conditions have no inner tag.
func (c *Constraint) Bare() (bare *Constraint, under []*Constraint) {
	for c != nil && c.IsCondition() {
		under = append(under, c)
		c = c.Inner
	}
	return c, under
}

// Bare returns the tags of a list without their conditions.
func Bare(list []*Constraint) []*Constraint {
	out := make([]*Constraint, 0, len(list))
	for _, c := range list {
		if bare, _ := c.Bare(); bare != nil {
			out = append(out, bare)
		}
	}
	return out
}

// Find returns the tags with one of the given roles.
func Find(list []*Constraint, roles ...Role) []*Constraint {
	var found []*Constraint
	for _, c := range list {
		if c.Is(roles...) {
			found = append(found, c)
		}
	}
	return found
}

// Has reports whether the list has a tag with one of the given roles.
func Has(list []*Constraint, roles ...Role) bool {
	return slices.ContainsFunc(list, func(c *Constraint) bool { return c.Is(roles...) })
}

// Says reports whether the list has a tag with one of the given roles, with or without conditions.
func Says(list []*Constraint, roles ...Role) bool { return Has(Bare(list), roles...) }
