// Package minitems is the tag +k8s:minItems.
package minitems

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative     = codes.New("minitems/negative", "A number of items cannot be negative.")
	codeTooLarge     = codes.New("minitems/too-large", "The bound is larger than any API object.")
	codeAboveMaximum = codes.New("minitems/above-maximum", "minItems is above maxItems, so no list can satisfy both.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:minItems", Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnValue | tag.OnMapValue, Shapes: tag.Lists,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the smallest number of items, 0 or more"},
		Instead: map[tag.Shape]string{tag.Strings: "k8s:minLength", tag.Integers: "k8s:minimum", tag.Maps: "k8s:minProperties"},
		OpenAPI: "minItems",
		Summary: "A list has at least this many items.",
		Doc:     "An empty list counts as unset: the rule does not apply to it if the field is optional.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:minItems=3
			Peers []string \'json:"peers"\'`),
		Bad: tag.Code(`
			// +k8s:minItems=1
			Peers map[string]string \'json:"peers"\' // a map: use +k8s:minProperties`),
		ErrorType: "TooFew", Origin: "minItems",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckSize(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, bag) {
				tag.CheckOrder(codeAboveMaximum, n, c, model.RoleMaxItems, bag)
			}
		},
		Lower: tag.Keyword(rule.MinItems, rule.Report),
	}
}
