// Package unions finds the values of a type in which unions are normalised.
//
// [NewPlans] takes the programs. [Plans] has a [Node] for each value with unions inside.
//
// A Node describes one value: its unions, and the values below it. Generated code and the evaluator
// visit values in its order: first the unions of the struct, then its fields. A value below is
// visited only if it can be correlated with an old one: fields by name, map values by key, and items
// of a list of type map by their keys.
package unions

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Node is a value with unions, or with values below it that have some.
type Node struct {
	// Type is the type of the value as declared.
	Type *model.Ref
	// Struct is the declared struct whose own node applies to the value first; nil for none.
	Struct *model.Type
	// Unions are the unions of the struct by tags at this place.
	Unions []Union
	// Fields are the fields of the struct that are nodes by tags at this place.
	Fields []Field
	// Elem is the node of each value of a map, and of each item of a list of type map.
	Elem *Node
	// Keys are the keys of the list.
	Keys []rule.FieldPath
	// Items are nodes of single items of the list.
	Items []Item
}

// Union is a union of fields.
type Union struct {
	*rule.Union
	// Under are the conditions of the whole union.
	Under []rule.Condition
}

// Field is a field of a struct.
type Field struct {
	Path   rule.FieldPath
	Inline bool
	Node   *Node
}

// Item selects an item of a list.
type Item struct {
	Keys []rule.KeyValue
	Node *Node
}

func (n *Node) empty() bool {
	return n == nil || n.Struct == nil && len(n.Unions)+len(n.Fields)+len(n.Items) == 0 && n.Elem == nil
}

// Plans has the nodes of the structs of a model.
type Plans struct {
	// open are the lists and maps whose values are being visited.
	open     []*model.Type
	programs *rule.Programs
	values   Values
	// all are the nodes before those without unions are removed.
	all map[model.Name]*Node
	// found are the nodes that Of returns, reaches whether a type has unions anywhere.
	found   map[model.Name]*Node
	reaches map[model.Name]bool
}

// Values are the values that plans include.
type Values int

const (
	// Correlated values can be correlated with old ones.
	Correlated Values = iota
	// All also has what is only validated: the items of other lists, and unions without a
	// discriminator.
	All
)

// NewPlans returns the plans for the types of programs.
func NewPlans(programs *rule.Programs, values Values) *Plans {
	return &Plans{programs: programs, values: values, all: map[model.Name]*Node{}, found: map[model.Name]*Node{}, reaches: map[model.Name]bool{}}
}

// Of returns the node of a struct, nil if its values have no unions.
func (s *Plans) Of(t *model.Type) *Node {
	id := t.ID()
	n, ok := s.found[id]
	if !ok {
		if s.has(t, map[model.Name]bool{}) {
			n = s.pruned(s.node(t))
		}
		s.found[id] = n
	}
	return n
}

// has reports whether values of a struct have unions at any depth.
func (s *Plans) has(t *model.Type, seen map[model.Name]bool) bool {
	id := t.ID()
	if known, ok := s.reaches[id]; ok {
		return known
	}
	if seen[id] {
		return false
	}
	outermost := len(seen) == 0
	seen[id] = true
	found := s.node(t).any(func(n *Node) bool {
		return len(n.Unions) > 0 || n.Struct != nil && n.Struct != t && s.has(n.Struct, seen)
	})
	if found {
		s.reaches[id] = true
	}
	if outermost && !found {
		for id := range seen {
			s.reaches[id] = false
		}
	}
	return found
}

// any reports whether f is true for the node or for one below it, up to the next struct.
func (n *Node) any(f func(n *Node) bool) bool {
	return n != nil && (f(n) || n.Elem.any(f) ||
		slices.ContainsFunc(n.Fields, func(field Field) bool { return field.Node.any(f) }) ||
		slices.ContainsFunc(n.Items, func(item Item) bool { return item.Node.any(f) }))
}

// pruned returns a node without structs that have no unions.
func (s *Plans) pruned(n *Node) *Node {
	if n == nil {
		return nil
	}
	out := *n
	out.Fields, out.Items = nil, nil
	if n.Struct != nil && !s.has(n.Struct, map[model.Name]bool{}) {
		out.Struct = nil
	}
	if out.Elem = s.pruned(n.Elem); out.Elem.empty() {
		out.Elem = nil
	}
	for _, f := range n.Fields {
		if f.Node = s.pruned(f.Node); !f.Node.empty() {
			out.Fields = append(out.Fields, f)
		}
	}
	for _, i := range n.Items {
		if i.Node = s.pruned(i.Node); !i.Node.empty() {
			out.Items = append(out.Items, i)
		}
	}
	return &out
}

// node returns the node of a struct, with all structs below.
func (s *Plans) node(t *model.Type) *Node {
	if n := s.all[t.ID()]; n != nil {
		return n
	}
	n := &Node{Type: model.Named(t.Package, t.Name)}
	s.all[t.ID()] = n
	program := s.programs.Of(t)
	s.add(n, program.Rules, nil)
	for _, f := range t.Fields {
		if f.Skipped || !f.Exported() {
			continue
		}
		rules := s.programs.FieldOf(program, f)
		s.add(n, rules.Around, nil)
		if below := s.place(rules.Place, rules.Rules, true, nil); !below.empty() {
			path := rule.FieldPath{Struct: t.ID(), Name: f.Name, JSON: f.JSON, Type: f.Type, Unset: s.programs.Model.Unset(f)}
			n.Fields = append(n.Fields, Field{Path: path, Inline: f.Inline, Node: below})
		}
	}
	return n
}

// place returns the node of a value: by the rules at its place and, if whole is set, by its type.
func (s *Plans) place(p *rule.Place, rules []rule.Rule, whole bool, under []rule.Condition) *Node {
	m := s.programs.Model
	n := &Node{Type: p.Type}
	if whole && !p.Opaque {
		t := m.Struct(p.Type)
		_, chain := m.Resolve(p.Value(m))
		for _, named := range chain {
			if named != t {
				rules = slices.Concat(s.programs.Of(named).Rules, rules)
			}
		}
		if u := p.Underlying(m); u.Kind == model.KindStruct && t != nil && !t.Generic {
			n.Struct = t
		}
	}
	switch u := p.Underlying(m); {
	case u.Kind == model.KindSlice:
		if p.List != nil && p.List.Type == rule.Map {
			n.Keys = p.List.Keys
		}
		if len(n.Keys) > 0 || s.values == All {
			n.Elem = s.elem(p, rules, whole, under)
		}
	case u.Kind == model.KindMap && s.programs.StringKeys(u):
		n.Elem = s.elem(p, rules, whole, under)
	}
	s.add(n, rules, under)
	return n
}

// elem returns the node of the values of a list or map.
func (s *Plans) elem(p *rule.Place, rules []rule.Rule, whole bool, under []rule.Condition) *Node {
	// A list of itself has no values but lists.
	_, chain := s.programs.Model.Resolve(p.Value(s.programs.Model))
	if slices.ContainsFunc(chain, func(t *model.Type) bool { return slices.Contains(s.open, t) }) {
		return nil
	}
	s.open = append(s.open, chain...)
	defer func() { s.open = s.open[:len(s.open)-len(chain)] }()
	var each []rule.Rule
	for _, r := range rules {
		if in, ok := r.Must.(*rule.Each); ok && !in.Keys {
			each = append(each, rule.Under(r.Under, in.Rules)...)
		}
	}
	n := s.place(s.programs.Elem(p), each, whole, under)
	if n.empty() {
		return nil
	}
	return n
}

// add adds the unions of rules at the node's place, and the fields and items that they select.
func (s *Plans) add(n *Node, rules []rule.Rule, under []rule.Condition) {
	for _, r := range rules {
		under := slices.Concat(under, r.Under)
		switch must := r.Must.(type) {
		case *rule.Union:
			if must.Discriminator != nil || must.Text == rule.Older || s.values == All && must.Members[0].Field != nil {
				n.Unions = append(n.Unions, Union{Union: must, Under: under})
			}
		case *rule.Modes:
			if u := must.Union(); u != nil {
				n.Unions = append(n.Unions, Union{Union: u, Under: under})
			}
		case *rule.Part:
			if below := s.place(must.Place, must.Rules, false, under); !below.empty() {
				n.Fields = append(n.Fields, Field{Path: must.Field, Node: below})
			}
		case *rule.Item:
			if below := s.place(must.Place, must.Rules, false, under); !below.empty() && len(n.Keys) > 0 {
				n.Items = append(n.Items, Item{Keys: must.Keys, Node: below})
			}
		}
	}
}
