package tag

import "github.com/kindsmith/kindsmith/internal/model"

// EachRules returns the rules of a tag that are about each value or key. Those
// that stop others are apart: they run before any other rule of the place around
// the values, and one value that breaks them stops all of those.
func EachRules(name string, each Each) []Rule {
	var out []Rule
	short, others := cut(each.Rules)
	add := func(rules []Rule, short bool) {
		if len(rules) > 0 {
			out = append(out, Rule{Tag: name, Short: short, Each: &Each{Keys: each.Keys, Node: each.Node, Rules: rules}})
		}
	}
	add(short, true)
	add(others, false)
	return out
}

// cut divides rules into those that stop others with an error, and the others.
// What only stops silently does so for its own value.
func cut(rules []Rule) (short, others []Rule) {
	for _, r := range rules {
		switch {
		case r.Part != nil:
			stopping, rest := cut(r.Part.Rules)
			if len(stopping) > 0 {
				short = append(short, r.withPart(stopping, nil))
			}
			if len(rest) > 0 {
				others = append(others, r.withPart(rest, r.Part.Unless))
			}
		case r.Short && r.Guard == nil:
			short = append(short, r)
		default:
			others = append(others, r)
		}
	}
	return short, others
}

// withPart returns the rule with other rules for the same part.
func (r *Rule) withPart(rules, unless []Rule) Rule {
	part := *r.Part
	part.Rules, part.Unless = rules, unless
	out := *r
	out.Part = &part
	return out
}

// NoNils returns the rules that no list of pointers at a place has nil items, nor
// one that is a value of a list or map there. They stop whatever else is said of
// the place, so that no other rule meets a nil item.
func NoNils(n *Node) []Rule { return noNils(n, map[model.Name]bool{}) }

func noNils(n *Node, seen map[model.Name]bool) []Rule {
	if r := n.Value(); r.Kind == model.KindNamed {
		if seen[r.ID()] {
			return nil
		}
		seen[r.ID()] = true
	}
	u := n.Underlying()
	if u.Kind != model.KindSlice && (u.Kind != model.KindMap || !n.Model.Underlying(u.Key).IsString()) {
		return nil
	}
	var rules []Rule
	elem := n.Elem()
	if u.Kind == model.KindSlice && elem.IsPointer() {
		rules = append(rules, Rule{Short: true, Check: func(e *Exprs) string { return e.Call("NoNilItems", e.Value) }})
	}
	return append(rules, EachRules("", Each{Node: elem, Rules: noNils(elem, seen)})...)
}
