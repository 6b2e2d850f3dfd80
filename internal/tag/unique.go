package tag

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
)

// Unchecked reports whether no rule checks that the items of a list are unique:
// hand-written code sees to it, or the rule of a declared type.
func Unchecked(n *Node, kind string) bool {
	return model.Says(n.AllConstraints(), model.RoleCustomUnique) || n.repeatsUnique(kind) || kind == "map" && len(n.ListMapKeys()) == 0
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

// repeatsUnique reports whether a declared type that the place's values are of
// has the rule already.
func (n *Node) repeatsUnique(kind string) bool {
	if n.Says(model.RoleOpaque) {
		return false
	}
	_, chain := n.Model.Resolve(n.Value())
	return slices.ContainsFunc(chain, func(t *model.Type) bool {
		return (n.Scope != OnType || t != n.Owner) && slices.ContainsFunc(model.Bare(t.Constraints), func(c *model.Constraint) bool {
			return c.Is(model.RoleListType, model.RoleUnique) && c.Text() == kind
		})
	})
}

// JudgeUnique says whether the items of a constant list are unique, by the
// payload's measure: that of a set or of a map. Only scalars are compared.
func JudgeUnique(n *Node, c *model.Constraint, v Literal) Verdict {
	list, isList := v.Value.([]any)
	if !isList || c.Text() == "atomic" || Unchecked(n, c.Text()) {
		return Undecided
	}
	seen := map[string]bool{}
	for _, item := range list {
		identity, known := identityOf(n, c.Text(), item)
		switch {
		case !known:
			return Undecided
		case seen[identity]:
			return Broken
		}
		seen[identity] = true
	}
	return Kept
}

// identityOf returns what tells an item of a list from others.
func identityOf(n *Node, kind string, item any) (identity string, known bool) {
	if kind == "set" {
		if ShapeOf(n.Model, n.Underlying().Elem)&(Strings|Integers|Bools) == 0 {
			return "", false
		}
		return spell(item)
	}
	object, isObject := item.(map[string]any)
	for _, key := range n.ListMapKeys() {
		value, given := object[key.JSON]
		if !isObject || !given {
			return "", false // the key's default may be filled in
		}
		text, known := spell(value)
		if !known {
			return "", false
		}
		identity += text
	}
	return identity, true
}

func spell(scalar any) (text string, ok bool) {
	out, err := json.Marshal(scalar)
	return string(out) + ",", err == nil
}
