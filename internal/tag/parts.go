package tag

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

// Subfield returns the field of the struct at the place with the given JSON
// name, and the inlined structs that lead to it, outermost first.
func (n *Node) Subfield(name string) (f *model.Field, through []*model.Field) {
	t := n.Model.Struct(n.Value())
	if t == nil || name == "" {
		return nil, nil
	}
	return fieldByJSON(n.Model, t, name, 0)
}

// CanBeNil reports whether the value as declared can be nil: a pointer, list or map.
func (n *Node) CanBeNil() bool {
	switch n.Model.Underlying(n.Type).Kind {
	case model.KindPointer, model.KindSlice, model.KindMap, model.KindInterface:
		return true
	}
	return false
}

// ItemKeys returns the values that an item tag gives to the keys of the list at
// the place, in the order of the keys; not ok when it does not give each key a
// value that the key's field can have.
func (n *Node) ItemKeys(c *model.Constraint) (keys []KeyValue, ok bool) {
	if n.Underlying().Kind != model.KindSlice {
		return nil, false
	}
	fields := n.ListMapKeys()
	for _, f := range fields {
		v := c.Arg(f.JSON)
		if v == nil {
			return nil, false
		}
		text, ok := KeyConstant(n.Model, f, v)
		if !ok {
			return nil, false
		}
		keys = append(keys, KeyValue{Field: f, Value: text})
	}
	return keys, len(keys) > 0 && len(keys) == len(c.Args)
}

// KeyConstant spells a value as a Go constant of a key's type; not ok when the
// field is of another type.
func KeyConstant(m *model.Model, key *model.Field, v *model.Value) (text string, ok bool) {
	elem, _ := m.Deref(key.Type)
	switch u := m.Underlying(elem); v.Kind {
	case model.StringValue, model.IdentValue:
		return Quote(v.Text), u.IsString()
	case model.IntValue:
		return v.Text, u.IsInteger()
	case model.BoolValue:
		return v.Text, u.IsBool()
	}
	return "", false
}

// Silently returns the rules that can stop a cohort as guards that report
// nothing; other rules are left out.
func Silently(rules []Rule) []Rule {
	var guards []Rule
	for _, r := range rules {
		switch {
		case r.Guard != nil:
		case r.Holds != nil && r.Short:
			r.Guard, r.Check, r.Holds = r.Holds, nil, nil
		case r.Check != nil && r.Short:
			check := r.Check
			r.Guard = func(e *Exprs) string {
				return e.Validate("Silently") + "(" + e.Run + ", " + e.Run + ".Mark(), " + check(e) + ")"
			}
			r.Check = nil
		default:
			continue
		}
		guards = append(guards, r)
	}
	return guards
}
