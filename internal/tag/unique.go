package tag

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
)

// UniqueRule returns the rule that the items of a list are told apart: as whole
// values in a set, by their keys in a map. There is none for other kinds, and
// where hand-written code sees to it.
func UniqueRule(n *Node, name, kind string) []Rule {
	if model.Says(n.AllConstraints(), "k8s:customUnique") {
		return nil
	}
	elem := n.Underlying().Elem
	_, pointers := n.Model.Deref(elem)
	switch {
	case kind == "map" && len(n.ListMapKeys()) == 0, !slices.Contains([]string{"map", "set"}, kind):
		return nil
	case kind == "set" && n.Model.Comparable(elem):
		return []Rule{{Tag: name, Check: func(e *Exprs) string { return e.Call("UniqueValues", e.Value) }}}
	}
	check := "UniqueFunc"
	if pointers {
		check = "UniquePtrFunc"
	}
	return []Rule{{Tag: name, Check: func(e *Exprs) string {
		hash, same := e.ItemFuncs()
		return e.Call(check, e.Value, hash, same)
	}}}
}
