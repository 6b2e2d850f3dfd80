package tag

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
)

// Subfield returns the field of the node's struct with the given JSON name, and the inlined structs
// that lead to it, outermost first.
func (n *Node) Subfield(name string) (f *model.Field, through []*model.Field) {
	t := n.Model.Struct(n.Value())
	if t == nil || name == "" {
		return nil, nil
	}
	return fieldByJSON(n.Model, t, name)
}

// ItemKeys returns the key values of an item tag, in the order of the list's keys; not ok unless
// each key has a value of its type.
func (n *Node) ItemKeys(c *model.Tag) (keys []KeyValue, ok bool) {
	if n.Underlying().Kind != model.KindSlice {
		return nil, false
	}
	fields := n.ListMapKeys()
	for _, f := range fields {
		v := c.Arg(f.JSON)
		if v == nil {
			return nil, false
		}
		constant, ok := KeyConstant(n.Model, f, v)
		if !ok {
			return nil, false
		}
		keys = append(keys, KeyValue{Field: f, Constant: constant})
	}
	return keys, len(keys) > 0 && len(keys) == len(c.Args)
}

// KeyValue is the value of a key of a list item.
type KeyValue struct {
	Field    *model.Field
	Constant rule.Constant
}

// KeyConstant returns a value as a constant of a key's type; not ok if the type differs.
func KeyConstant(m *model.Model, key *model.Field, v *model.Value) (value rule.Constant, ok bool) {
	elem, _ := m.Deref(key.Type)
	u := m.Underlying(elem)
	value = rule.Constant{Kind: v.Kind, Text: v.Text}
	switch v.Kind {
	case model.StringValue, model.IdentValue:
		value.Kind, ok = model.StringValue, u.IsString()
	case model.IntValue:
		ok = u.IsInteger()
	case model.BoolValue:
		ok = u.IsBool()
	}
	return value, ok
}
