package model

import "slices"

// The tags that say when, or how firmly, the tag behind them holds. What that
// tag says of the shape of an API (that a list is a map, that a field is the
// member of a union) does not depend on them.
var conditions = []string{"k8s:alpha", "k8s:beta", "k8s:ifEnabled", "k8s:ifDisabled", "k8s:ifOptionEnabled", "k8s:ifOptionDisabled"}

// IsCondition reports whether the constraint says when, or how firmly, its
// inner one holds.
func (c *Constraint) IsCondition() bool { return slices.Contains(conditions, c.Name) }

// Bare returns the constraint behind the conditions that it is under, and these,
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

// Says reports whether a constraint with the given full name is in the list,
// under conditions or not.
func Says(list []*Constraint, name string) bool { return Has(Bare(list), name) }
