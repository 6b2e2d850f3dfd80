package update

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// rules compare with the old value. Where there is none, as in an item that has
// just come, nothing was set, unset, added or removed.
func rules(n *tag.Node, c *model.Constraint) []tag.Rule {
	if repeated(n, c) || uncorrelated(n) {
		return nil
	}
	rule := tag.Rule{Tag: "update", Short: true}
	switch what := c.Text(); what {
	case noAddItem, noRemoveItem:
		rule.If = func(e *tag.Exprs) string { return e.HasOldValue }
		rule.Check = func(e *tag.Exprs) string { return items(n, what, e) }
		rule.Reports = []tag.Report{{Type: "Forbidden", Origin: "update", At: "[*]"}}
		if what == noRemoveItem && n.Underlying().Kind == model.KindSlice {
			rule.Reports[0].At = "" // an item that is gone has no index
		}
	default:
		rule.Check = func(e *tag.Exprs) string { return e.Call("Update"+what, wasSet(what, e), e.Set) }
		// Without an old value there is nothing to write.
		rule.If = func(e *tag.Exprs) string {
			if e.HasOld == "false" {
				return "false"
			}
			return "true"
		}
	}
	return []tag.Rule{rule}
}

// uncorrelated reports whether the place is an item that is never paired with
// what it was, so that it cannot have been modified.
func uncorrelated(n *tag.Node) bool {
	return n.Scope == tag.OnValue && n.Parent != nil && n.Parent.Semantics() != "map"
}

// wasSet says whether the value was set, so that nothing is reported where there
// is no old value.
func wasSet(what string, e *tag.Exprs) string {
	switch {
	case what == noSet:
		return tag.Not(e.HasOld) + " || " + e.OldSet
	case e.OldSet == "true":
		return e.HasOld
	}
	return tag.All([]string{e.HasOld, e.OldSet})
}

// items compares the items of a list or map with the old ones.
func items(n *tag.Node, what string, e *tag.Exprs) string {
	u := n.Underlying()
	if u.Kind == model.KindMap {
		check := map[string]string{noAddItem: "UpdateNoAddKey", noRemoveItem: "UpdateNoRemoveKey"}
		return e.Call(check[what], e.Value, e.OldValue)
	}
	check := "Update" + what
	if _, pointers := n.Model.Deref(u.Elem); pointers {
		check += "Ptr"
	}
	return e.Call(check, e.Value, e.OldValue, e.SameItem())
}
