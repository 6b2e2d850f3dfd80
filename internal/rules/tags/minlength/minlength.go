// Package minlength is the tag +k8s:minLength.
package minlength

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative     = codes.New("minlength/negative", "A length cannot be negative.")
	codeTooLarge     = codes.New("minlength/too-large", "The bound is larger than any API object.")
	codeAboveMaximum = codes.New("minlength/above-maximum", "minLength is above maxLength, so no value can satisfy both.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:minLength", Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the smallest number of characters, 0 or more"},
		Instead: map[tag.Shape]string{tag.Integers: "k8s:minimum", tag.Lists: "k8s:minItems", tag.Maps: "k8s:minProperties"},
		OpenAPI: "minLength",
		Summary: "A string has at least this many characters.",
		Doc:     "Characters are Unicode code points, not bytes. The rule does not apply to an unset optional field.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:minLength=3
			Name string \'json:"name"\'`),
		Bad: tag.Code(`
			// +k8s:minLength=3
			Replicas int32 \'json:"replicas"\' // not a string: use +k8s:minimum`),
		ErrorType: "TooShort", Origin: "minLength",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckSize(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, bag) {
				tag.CheckOrder(codeAboveMaximum, n, c, model.RoleMaxLength, bag)
			}
		},
		Lower: tag.Keyword(rule.MinLength, rule.Report),
	}
}
