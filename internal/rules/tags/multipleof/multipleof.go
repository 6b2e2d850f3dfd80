// Package multipleof is the tag +k8s:multipleOf.
package multipleof

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNotPositive = codes.New("multipleof/not-positive", "A factor is 1 or more.")
	codeOutOfRange  = codes.New("multipleof/out-of-range", "The factor is out of range for the field's type, so only zero would be a multiple.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:multipleOf", Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Integers,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the factor, 1 or more; it must fit the field's type"},
		OpenAPI: "multipleOf",
		Summary: "An integer is a multiple of this.",
		Doc:     "Zero is a multiple of every integer, and negative values can be multiples too.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:minimum=1024
			// +k8s:multipleOf=1024
			PageBytes *int64 \'json:"pageBytes,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:multipleOf=0
			PageBytes int64 \'json:"pageBytes"\' // only zero is a multiple of zero`),
		ErrorType: "Invalid", Origin: "multipleOf",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if v, ok := tag.IntPayload(c); ok && v.Sign() <= 0 {
				bag.Errorf(c.Payload.Span, codeNotPositive, "multipleOf=%s is not a factor; use 1 or more", v)
				return
			}
			tag.CheckFits(codeOutOfRange, n, c, bag)
		},
		Lower: tag.Keyword(rule.MultipleOf, rule.Report),
	}
}
