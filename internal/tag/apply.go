package tag

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

// RulesOf returns the rules that a constraint puts on a place; none when the
// tag is unknown or has no Go back-end of its own.
func RulesOf(n *Node, c *model.Constraint) []Rule {
	if c == nil {
		return nil
	}
	d := n.Tags.Lookup(c.Name)
	if d == nil {
		return nil
	}
	rules, ok := d.Go.(GoRules)
	if !ok {
		return nil
	}
	found := rules(n, c)
	for i := range found {
		if r := &found[i]; r.Check != nil && r.Reports == nil && d.ErrorType != "" {
			r.Reports = []Report{{Type: d.ErrorType, Origin: d.Origin}}
		}
	}
	return found
}

// ApplySchema applies a constraint to a schema. What cannot be said there is
// reported through s.Unprojectable.
func ApplySchema(n *Node, c *model.Constraint, s *Schema) {
	if c == nil {
		return
	}
	d := n.Tags.Lookup(c.Name)
	if d == nil {
		return
	}
	switch backend := d.Schema.(type) {
	case SchemaRules:
		backend(n, c, s)
	case Unsupported:
		if s.Unprojectable != nil {
			s.Unprojectable(string(backend))
		}
	}
}
