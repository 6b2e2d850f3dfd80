package update

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// rules compare with the old value. Without one, as in a new item, nothing was set, unset, added or
// removed.
func rules(n *tag.Node, c *model.Tag) []rule.Rule {
	if repeated(n, c) || uncorrelated(n) {
		return nil
	}
	r := rule.Rule{Tag: "update", Effect: rule.Stop, Moment: rule.OnUpdate, Must: &rule.Update{Forbids: rule.Forbids(c.Text())}}
	switch c.Text() {
	case noAddItem, noRemoveItem:
		r.Moment = rule.OnUpdateOfValue
		r.Errors = []rule.Error{{Type: "Forbidden", Origin: "update", At: "[*]"}}
		if c.Text() == noRemoveItem && n.Underlying().Kind == model.KindSlice {
			r.Errors[0].At = "" // a removed item has no index
		}
	}
	return []rule.Rule{r}
}

// uncorrelated reports whether the node is a list item that is not correlated with old items.
func uncorrelated(n *tag.Node) bool {
	return n.Scope == tag.OnValue && n.Parent != nil && n.Parent.Semantics() != "map"
}
