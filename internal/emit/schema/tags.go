package schema

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// tagOrder is the order in which tags are applied. Other tags ask the schema what
// kind of list it is; what items and strings are bounded by is asked by unique.
var tagOrder = map[string]int{"listType": -2, "listMapKey": -1, "unique": 1}

// applyTags applies the tags of a place to its schema. What a tag cannot say in
// a schema is a warning, so that nothing is dropped in silence. Tags that are
// unknown or not built yet are for package check to speak of.
func (b *builder) applyTags(n *tag.Node, s, parent *props, correlatable bool) {
	for _, c := range inOrder(n.Siblings) {
		before, rules := keywords(s), rulesIn(s)
		parentRules := rulesOf(parent, map[string]bool{})
		tag.ApplySchema(n, c, &tag.Schema{
			Props: s, Parent: parent, Correlatable: correlatable, Projection: b.projectionOf(n.Owner.Package),
			Unprojectable: func(reason string) { b.notProjected(n, c, reason) },
		})
		tighten(before, s)
		b.wrote(c, rules, rulesIn(s))
		b.wrote(c, parentRules, rulesOf(parent, map[string]bool{}))
	}
}

// wrote remembers which tag wrote the rules that are new.
func (b *builder) wrote(c *model.Constraint, before, after map[string]bool) {
	for rule := range after {
		if !before[rule] {
			b.rules[rule] = append(b.rules[rule], c.Span)
		}
	}
}

func (b *builder) notProjected(n *tag.Node, c *model.Constraint, reason string) {
	if b.ours(n.Owner.Package) {
		b.diags.Warnf(c.NameSpan, codeNotProjected, "the API server does not enforce +%s of a custom resource: %s", c.Name, reason)
	}
}

func inOrder(list []*model.Constraint) []*model.Constraint {
	sorted := slices.Clone(list)
	slices.SortStableFunc(sorted, func(x, y *model.Constraint) int { return rank(x) - rank(y) })
	return sorted
}

// rank returns the place in tagOrder of what a chain of tags comes down to.
func rank(c *model.Constraint) int {
	for c.Inner != nil {
		c = c.Inner
	}
	return tagOrder[c.ShortName()]
}

// rulesIn returns the CEL rules in a schema, at any depth.
func rulesIn(s *props) map[string]bool {
	found := map[string]bool{}
	visit(s, func(s *props) { rulesOf(s, found) })
	return found
}

// rulesOf adds the rules that stand on a schema itself; there may be none, as
// around an object.
func rulesOf(s *props, found map[string]bool) map[string]bool {
	if s == nil {
		return found
	}
	for _, r := range s.XValidations {
		found[r.Rule] = true
	}
	return found
}

// visit calls f with a schema and every schema in it.
func visit(s *props, f func(*props)) {
	f(s)
	if s.Items != nil && s.Items.Schema != nil {
		visit(s.Items.Schema, f)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		visit(s.AdditionalProperties.Schema, f)
	}
	for name := range s.Properties {
		p := s.Properties[name]
		visit(&p, f)
	}
}
