package tag

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// UniqueRule returns the rule that the items of a list are told apart: as whole
// values in a set, by their keys in a map. There is none for other kinds, and
// where hand-written code sees to it or a type's validator does.
func UniqueRule(n *Node, name, kind string) []Rule {
	if model.Says(n.AllConstraints(), "k8s:customUnique") || n.repeatsUnique(kind) {
		return nil
	}
	elem := n.Underlying().Elem
	_, pointers := n.Model.Deref(elem)
	duplicate := []Report{{Type: "Duplicate", At: "[*]"}}
	switch {
	case kind == "map" && len(n.ListMapKeys()) == 0, !slices.Contains([]string{"map", "set"}, kind):
		return nil
	case kind == "set" && n.Model.Comparable(elem):
		return []Rule{{Tag: name, Reports: duplicate, Check: func(e *Exprs) string { return e.Call("UniqueValues", e.Value) }}}
	}
	check := "UniqueFunc"
	if pointers {
		check = "UniquePtrFunc"
	}
	return []Rule{{Tag: name, Reports: duplicate, Check: func(e *Exprs) string {
		hash, same := e.ItemFuncs()
		return e.Call(check, e.Value, hash, same)
	}}}
}

// repeatsUnique reports whether a declared type that the place's values are of
// has the rule already.
func (n *Node) repeatsUnique(kind string) bool {
	if n.Says("k8s:opaqueType") {
		return false
	}
	_, chain := n.Model.Resolve(n.Value())
	return slices.ContainsFunc(chain, func(t *model.Type) bool {
		return (n.Scope != OnType || t != n.Owner) && slices.ContainsFunc(model.Bare(t.Constraints), func(c *model.Constraint) bool {
			return (c.Name == "k8s:listType" || c.Name == "k8s:unique") && c.Text() == kind
		})
	})
}

// JudgeUnique says whether the items of a constant list are unique, by the
// payload's measure: that of a set or of a map. Only scalars are compared.
func JudgeUnique(n *Node, c *model.Constraint, v Literal) Verdict {
	list, isList := v.Value.([]any)
	if !isList || len(UniqueRule(n, "", c.Text())) == 0 {
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
