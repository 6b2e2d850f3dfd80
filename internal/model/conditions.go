package model

import "slices"

// IsCondition reports whether the constraint says when, or how firmly, its
// inner one holds. What the inner tag says of the shape of an API (that a list
// is a map, that a field is the member of a union) does not depend on it.
func (c *Constraint) IsCondition() bool { return c.Role.IsCondition() }

// Is reports whether the constraint has one of the given roles.
func (c *Constraint) Is(roles ...Role) bool { return c.Role != "" && slices.Contains(roles, c.Role) }

// Bare returns the constraint inside the conditions that it is under, and these,
// outermost first. It returns nil when conditions lead nowhere.
func (c *Constraint) Bare() (bare *Constraint, under []*Constraint) {
	for c != nil && c.IsCondition() {
		under = append(under, c)
		c = c.Inner
	}
	return c, under
}

// Bare returns the constraints of a list, those under conditions without them.
func Bare(list []*Constraint) []*Constraint {
	out := make([]*Constraint, 0, len(list))
	for _, c := range list {
		if bare, _ := c.Bare(); bare != nil {
			out = append(out, bare)
		}
	}
	return out
}

// Find returns the constraints with one of the given roles.
func Find(list []*Constraint, roles ...Role) []*Constraint {
	var found []*Constraint
	for _, c := range list {
		if c.Is(roles...) {
			found = append(found, c)
		}
	}
	return found
}

// Has reports whether a constraint with one of the given roles is in the list.
func Has(list []*Constraint, roles ...Role) bool {
	return slices.ContainsFunc(list, func(c *Constraint) bool { return c.Is(roles...) })
}

// Says reports whether a constraint with one of the given roles is in the list,
// under conditions or not.
func Says(list []*Constraint, roles ...Role) bool { return Has(Bare(list), roles...) }
