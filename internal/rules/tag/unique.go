package tag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Unchecked reports whether this node has no rule for unique items, because hand-written code or
// the rule of a declared type checks them.
func Unchecked(n *Node, kind string) bool {
	return model.HasBare(n.AllTags(), model.RoleCustomUnique) || n.repeatsUnique(kind) || kind == "map" && len(n.ListMapKeys()) == 0
}

// Duplicates are the errors of lists whose items are unique.
var Duplicates = []rule.Error{{Type: "Duplicate", At: "[*]"}}

// ListKeys returns the keys of the list at a place, for a kind of list that has
// keys.
func ListKeys(n *Node, kind string) []rule.FieldPath {
	if kind != "map" {
		return nil
	}
	return n.keyPaths()
}

// repeatsUnique reports whether a declared type of the values already has the rule.
func (n *Node) repeatsUnique(kind string) bool {
	if n.HasBare(model.RoleOpaque) {
		return false
	}
	_, chain := n.Model.Resolve(n.Value())
	return slices.ContainsFunc(chain, func(t *model.Type) bool {
		return (n.Scope != OnType || t != n.Owner) && slices.ContainsFunc(model.Bare(t.Tags), func(c *model.Tag) bool {
			return c.Is(model.RoleListType, model.RoleUnique) && c.Text() == kind
		})
	})
}
