package rules

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/expr"
)

// typedFormats are the formats of strings that are values of other types in rules of definitions.
var typedFormats = []string{"byte", "date", "date-time", "duration"}

// selectsTyped reports whether a rule reads values that have another type in a policy, which is text.
func selectsTyped(s *schema, tree expr.Expr) bool {
	if slices.Contains(typedFormats, s.Format) {
		return true
	}
	names := map[string]bool{}
	expr.Walk(tree, func(e expr.Expr) bool {
		if selected, ok := e.(*expr.Select); ok {
			names[selected.Field] = true
		}
		return true
	})
	found := false
	visit("", s, func(name string, s *schema) {
		found = found || names[name] && slices.Contains(typedFormats, s.Format)
	})
	return found
}

// visit calls f for a schema and all below it, with the name that rules select the value by; items and values of maps have
// that of the list or map.
func visit(name string, s *schema, f func(name string, s *schema)) {
	escaped, _ := expr.EscapeName(name)
	f(escaped, s)
	for name, below := range s.Properties {
		visit(name, &below, f)
	}
	if s.Items != nil && s.Items.Schema != nil {
		visit(name, s.Items.Schema, f)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		visit(name, s.AdditionalProperties.Schema, f)
	}
}

// comparesTyped reports whether a rule may compare values that are equal in a definition and differ in a policy: those that
// contain lists of type set or map, or text that is a value of another type.
func comparesTyped(s *schema, tree expr.Expr) bool {
	c := &comparisons{schema: s, ranges: map[string]expr.Expr{}}
	found := false
	expr.Walk(tree, func(e expr.Expr) bool {
		switch e := e.(type) {
		case *expr.Comprehension:
			c.ranges[e.Var], c.ranges[e.Var2] = e.Range, e.Range
		case *expr.Call:
			if e.Func == expr.OpEq || e.Func == expr.OpNe || e.Func == expr.OpIn {
				found = found || c.typed(e.Args[0]) && c.typed(e.Args[1])
			}
		}
		return true
	})
	return found
}

// comparisons finds what a rule on a schema compares.
type comparisons struct {
	schema *schema
	// ranges are what the variables of loops are in.
	ranges map[string]expr.Expr
}

// typed reports whether an operand may be such a value.
func (c *comparisons) typed(x expr.Expr) bool {
	switch x := x.(type) {
	case *expr.Var:
		if x.Name == expr.SelfName || x.Name == expr.OldSelfName {
			return containsTyped(c.schema)
		}
		if in := c.ranges[x.Name]; in != nil {
			delete(c.ranges, x.Name) // a range with the same name is around the loop
			defer func() { c.ranges[x.Name] = in }()
			return c.typed(in)
		}
	case *expr.Select:
		found := false
		visit("", c.schema, func(name string, s *schema) { found = found || !x.Test && name == x.Field && containsTyped(s) })
		return found
	case *expr.List:
		return slices.ContainsFunc(x.Items, func(i expr.Item) bool { return c.typed(i.Value) })
	case *expr.Comprehension:
		return c.typed(x.Range)
	case *expr.Call:
		switch {
		case x.Func == expr.OpIndex || x.Func == expr.OpOptIndex || x.Func == "optional.of":
			return c.typed(x.Args[0])
		case x.Target != nil && (x.Func == "value" || x.Func == "orValue" || x.Func == "or"):
			return c.typed(x.Target)
		}
	}
	return false
}

// containsTyped reports whether values of a schema contain lists whose order does not count, or text that is a value of another
// type.
func containsTyped(s *schema) bool {
	found := false
	visit("", s, func(_ string, s *schema) {
		found = found || s.XListType != nil && *s.XListType != "atomic" || slices.Contains(typedFormats, s.Format)
	})
	return found
}
