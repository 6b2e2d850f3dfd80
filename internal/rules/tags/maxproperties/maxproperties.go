// Package maxproperties is the tag +k8s:maxProperties.
package maxproperties

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative = codes.New("maxproperties/negative", "A number of entries cannot be negative.")
	codeTooLarge = codes.New("maxproperties/too-large", "The bound is over 100000 entries, more than an API object should have.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:maxProperties", Role: model.RoleMaxProperties, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.Maps,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the largest number of entries, 0 to 100000"},
		OpenAPI: "maxProperties",
		Summary: "A map has at most this many entries.",
		Doc:     "If a map has too many entries, errors of its entries are not reported. The bound also keeps the estimated cost of schema rules low.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:maxProperties=64
			Parameters map[string]string \'json:"parameters,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:minProperties=3
			// +k8s:maxProperties=2
			Parameters map[string]string \'json:"parameters"\'`),
		ErrorType: "TooMany", Origin: "maxProperties",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckCount(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, 100000, bag)
		},
		Lower: tag.Keyword(rule.MaxProperties, rule.Stop),
	}
}
