package update

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

func rules(n *tag.Node, c *model.Constraint) []tag.Rule {
	if repeated(n, c) {
		return nil
	}
	rule := tag.Rule{Tag: "update", Short: true}
	switch what := c.Text(); what {
	case noAddItem, noRemoveItem:
		rule.Check = func(e *tag.Exprs) string { return items(n, what, e) }
		if n.IsPointer() {
			rule.If = func(e *tag.Exprs) string { return e.HasOldValue }
		}
	default:
		rule.Check = func(e *tag.Exprs) string { return e.Call("Update"+what, wasSet(n, what, e), e.Set) }
		if !n.CanBeNil() {
			// A value that is new by itself has no earlier state.
			rule.If = func(e *tag.Exprs) string {
				if e.HasOld == "false" {
					return "false"
				}
				return "true"
			}
		}
	}
	return []tag.Rule{rule}
}

// wasSet says whether the value was set. A pointer, list or map without an old
// value was not; of any other value nothing is known then, and setting it is
// not a change.
func wasSet(n *tag.Node, what string, e *tag.Exprs) string {
	switch {
	case e.HasOld == "false":
		return "false"
	case what == noSet && !n.CanBeNil():
		return tag.Not(e.HasOld) + " || " + e.OldSet
	case e.OldSet == "true":
		return e.HasOld
	}
	return tag.All([]string{e.HasOld, e.OldSet})
}

// items compares the items of a list or map with the old ones.
func items(n *tag.Node, what string, e *tag.Exprs) string {
	old := e.OldValue
	if !n.IsPointer() {
		old = e.OldNilable()
	}
	u := n.Underlying()
	if u.Kind == model.KindMap {
		check := map[string]string{noAddItem: "UpdateNoAddKey", noRemoveItem: "UpdateNoRemoveKey"}
		return e.Call(check[what], e.Value, old)
	}
	check := "Update" + what
	if _, pointers := n.Model.Deref(u.Elem); pointers {
		check += "Ptr"
	}
	return e.Call(check, e.Value, old, e.SameItem())
}
