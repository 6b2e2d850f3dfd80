// Package maxbytes is the tag +k8s:maxBytes.
package maxbytes

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNegative = codes.New("maxbytes/negative", "A length cannot be negative.")
	codeTooLarge = codes.New("maxbytes/too-large", "The bound is larger than any API object.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:maxBytes", Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue}, Doc: "the largest number of bytes, 0 or more"},
		Summary: "A string has at most this many bytes.",
		Doc:     "Bytes are counted in UTF-8, in which a character has one to four bytes. To limit characters, use `+k8s:maxLength`. In the schema it is a CEL rule, and a `maxLength` that keeps the estimated cost of the rule low.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:maxBytes=256
			Token string \'json:"token"\'`),
		Bad: tag.Code(`
			// +k8s:maxBytes=10
			Tags []string \'json:"tags"\' // a list: use +k8s:eachVal=+k8s:maxBytes=10, or +k8s:maxItems`),
		ErrorType: "TooLong", Origin: "maxBytes",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckSize(tag.SizeCodes{Negative: codeNegative, TooLarge: codeTooLarge}, c, bag)
		},
		Lower: tag.Keyword(rule.MaxBytes, rule.Report),
	}
}
