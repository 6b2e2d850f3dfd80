// Package maxlength is the tag +k8s:maxLength.
package maxlength

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative = codes.New("maxlength/negative", "A length cannot be negative.")
	codeTooLarge = codes.New("maxlength/too-large", "The bound is larger than any API object.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:maxLength", Role: model.RoleMaxLength, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the largest number of characters, 0 or more"},
		Instead: map[tag.Shape]string{tag.Integers: "k8s:maximum", tag.Lists: "k8s:maxItems", tag.Maps: "k8s:maxProperties"},
		OpenAPI: "maxLength",
		Summary: "A string has at most this many characters.",
		Doc:     "Characters are Unicode code points, which have up to four bytes. The bound also keeps the estimated cost of schema rules low.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:maxLength=63
			Name string \'json:"name"\'`),
		Bad: tag.Code(`
			// +k8s:maxLength=10
			Tags []string \'json:"tags"\' // a list: use +k8s:eachVal=+k8s:maxLength=10, or +k8s:maxItems`),
		ErrorType: "TooLong", Origin: "maxLength",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckSize(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, bag)
		},
		Lower: tag.Keyword(rule.MaxLength, rule.Report),
	}
}
