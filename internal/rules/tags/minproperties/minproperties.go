// Package minproperties is the tag +k8s:minProperties.
package minproperties

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative     = codes.New("minproperties/negative", "A number of entries cannot be negative.")
	codeTooLarge     = codes.New("minproperties/too-large", "The bound is over 100000 entries, more than an API object should have.")
	codeAboveMaximum = codes.New("minproperties/above-maximum", "minProperties is above maxProperties, so no map can satisfy both.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:minProperties", Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.Maps,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the smallest number of entries, 0 to 100000"},
		OpenAPI: "minProperties",
		Summary: "A map has at least this many entries.",
		Doc:     "An empty map counts as unset: the rule does not apply to it if the field is optional.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:minProperties=1
			Parameters map[string]string \'json:"parameters,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:minProperties=1
			Tags []string \'json:"tags"\' // a list: use +k8s:minItems`),
		ErrorType: "TooFew", Origin: "minProperties",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckCount(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, 100000, bag) {
				tag.CheckOrder(codeAboveMaximum, n, c, model.RoleMaxProperties, bag)
			}
		},
		Lower: tag.Keyword(rule.MinProperties, rule.Report),
	}
}
