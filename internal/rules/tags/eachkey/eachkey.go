// Package eachkey is the tag +k8s:eachKey.
package eachkey

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:eachKey", Role: model.RoleEachKey, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Maps,
		Payload: tag.Payload{Tag: true, Applies: model.AtKey, Doc: "the tag for each key"}, Repeatable: true,
		Summary: "A tag applies to each key of a map.",
		Doc:     "Errors are reported at the path of the map. On an update, existing keys are not checked again.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:eachKey=+k8s:format=k8s-label-key
			Parameters map[string]string \'json:"parameters,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:eachKey=+k8s:maxLength=63
			Tags []string \'json:"tags"\' // a list has no keys: use +k8s:eachVal`),
		Lower: func(n *tag.Node, c *model.Tag) []rule.Rule {
			inner := n.Inner(c)
			return rule.ForEach("eachKey", rule.Each{Keys: true, Place: inner.Place(), Rules: tag.Rules(inner, c.Inner)})
		},
	}
}
