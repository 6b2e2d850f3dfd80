package unions

import (
	"encoding/json"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/runtime/union"
)

// Table returns a union as the runtime reads it.
func (u Union) Table(m *model.Model) *union.Union {
	t := &union.Union{ZeroOrOne: u.ZeroOrOne && u.Text != rule.Older, Strict: u.Strict, Under: conditions(u.Under)}
	t.Declarative, t.Declared, t.Required = u.Text == rule.Declarative, u.Declared, u.Required
	if u.Text == rule.Older {
		t.Algorithm = union.Older
	}
	for _, member := range u.Members {
		row := union.Member{Name: member.Name, Value: member.Value, Optional: member.Optional, Under: conditions(member.Under)}
		if member.Field != nil {
			row.Zero = ZeroOf(member.Field.Type, member.Field.Unset)
		}
		t.Members = append(t.Members, row)
	}
	d := u.Discriminator
	if d == nil {
		if u.Text != rule.Older {
			t.Algorithm = union.None
		}
		return t
	}
	t.Discriminator, t.DiscriminatorUnder, t.Open = d.Field.JSON, conditions(d.Under), d.Open
	t.Bool = m.Underlying(d.Field.Type).IsBool()
	for _, v := range d.Values {
		if slices.ContainsFunc(u.Members, func(member rule.Member) bool { return member.Value == v.Value && len(member.Under) == 0 }) {
			continue
		}
		t.Values = append(t.Values, union.Value{Value: v.Value, Excluded: conditions(v.Excluded)})
	}
	return t
}

// ZeroOf returns the JSON of the values of a type that rules take as unset.
func ZeroOf(t *model.Ref, unset model.Lack) union.Zero {
	switch id := t.ID(); {
	case unset != model.LackZero && unset != model.LackEmpty:
		return union.NoZero
	case id == model.Duration:
		return union.ZeroDuration
	case id == model.Quantity:
		return union.ZeroQuantity
	}
	return union.ZeroValue
}

func conditions(list []rule.Condition) []union.Condition {
	var out []union.Condition
	for _, c := range list {
		out = append(out, union.Condition{Option: c.Option, Off: c.Off, Level: union.Level(c.Level)})
	}
	return out
}

// Shape returns the shape of a struct's JSON objects, nil if they have no unions.
func (s *Plans) Shape(t *model.Type) *union.Shape {
	return s.shapeOf(t, map[model.Name]*union.Shape{})
}

func (s *Plans) shapeOf(t *model.Type, known map[model.Name]*union.Shape) *union.Shape {
	n := s.Of(t)
	if n == nil {
		return nil
	}
	if shape := known[t.ID()]; shape != nil {
		return shape
	}
	shape := &union.Shape{}
	known[t.ID()] = shape
	s.fill(shape, n, known)
	return shape
}

func (s *Plans) shape(n *Node, known map[model.Name]*union.Shape) *union.Shape {
	if n == nil {
		return nil
	}
	if n.Struct != nil && len(n.Unions)+len(n.Fields) == 0 {
		return s.shapeOf(n.Struct, known)
	}
	shape := &union.Shape{}
	s.fill(shape, n, known)
	return shape
}

func (s *Plans) fill(shape *union.Shape, n *Node, known map[model.Name]*union.Shape) {
	m := s.programs.Model
	if n.Struct != nil {
		shape.Also = append(shape.Also, s.shapeOf(n.Struct, known))
	}
	for _, u := range n.Unions {
		shape.Unions = append(shape.Unions, u.Table(m))
	}
	for _, f := range n.Fields {
		below := s.shape(f.Node, known)
		if f.Inline {
			shape.Inlined = append(shape.Inlined, below)
		} else {
			shape.Fields = append(shape.Fields, union.Field{Name: f.Path.JSON, Shape: below})
		}
	}
	shape.Elem = s.shape(n.Elem, known)
	for _, k := range n.Keys {
		shape.Keys = append(shape.Keys, union.Key{Name: k.JSON, Zero: Zero(m, k.Type)})
	}
	for _, i := range n.Items {
		item := union.Item{Shape: s.shape(i.Node, known)}
		for _, k := range i.Keys {
			item.Values = append(item.Values, constant(k.Value))
		}
		shape.Items = append(shape.Items, item)
	}
}

// Zero returns the value of a key that is missing in JSON; nil for a pointer.
func Zero(m *model.Model, r *model.Ref) any {
	switch u := m.Underlying(r); {
	case u.IsString():
		return ""
	case u.IsBool():
		return false
	case u.IsInteger():
		return int64(0)
	}
	return nil
}

func constant(c rule.Constant) any {
	switch c.Kind {
	case model.BoolValue:
		return c.Text == "true"
	case model.IntValue:
		return json.Number(c.Text)
	}
	return c.Text
}
