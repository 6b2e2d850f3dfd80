// Package eachval is the tag +k8s:eachVal.
package eachval

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:eachVal", Role: model.RoleEachVal, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists | tag.Maps,
		Payload: tag.Payload{Tag: true, Applies: model.AtElement, Doc: "the tag for each value"}, Repeatable: true,
		Summary: "A tag applies to each value of a list or map.",
		Doc: "The tag can be nested: `+k8s:eachVal=+k8s:eachVal=+k8s:maxLength=10` for a list of lists. " +
			"On an update, unchanged values are not checked again. Items of a list of type map are correlated by key, items of a set by value, and map values by key.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:eachVal=+k8s:maxLength=63
			Tags []string \'json:"tags,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:eachVal=+k8s:maxLength=63
			Name string \'json:"name"\' // not a list or map: use +k8s:maxLength directly`),
		Lower: func(n *tag.Node, c *model.Tag) []rule.Rule {
			inner := n.Inner(c)
			return rule.ForEach("eachVal", rule.Each{Place: inner.Place(), Rules: tag.Rules(inner, c.Inner)})
		},
	}
}
