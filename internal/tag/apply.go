package tag

import (
	"github.com/kindsmith/kindsmith/internal/model"
)

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
