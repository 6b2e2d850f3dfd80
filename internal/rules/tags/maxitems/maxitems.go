// Package maxitems is the tag +k8s:maxItems.
package maxitems

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative = codes.New("maxitems/negative", "A number of items cannot be negative.")
	codeTooLarge = codes.New("maxitems/too-large", "The bound is larger than any API object.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:maxItems", Role: model.RoleMaxItems, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnValue | tag.OnMapValue, Shapes: tag.Lists,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the largest number of items, 0 or more"},
		Instead: map[tag.Shape]string{tag.Strings: "k8s:maxLength", tag.Integers: "k8s:maximum", tag.Maps: "k8s:maxProperties"},
		OpenAPI: "maxItems",
		Summary: "A list has at most this many items.",
		Doc:     "If a list is too long, errors of its items are not reported. The bound also keeps the estimated cost of schema rules low.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:maxItems=16
			Peers []string \'json:"peers,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:minItems=3
			// +k8s:maxItems=2
			Peers []string \'json:"peers"\'`),
		ErrorType: "TooMany", Origin: "maxItems",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckSize(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, bag)
		},
		Lower: tag.Keyword(rule.MaxItems, rule.Stop),
	}
}
