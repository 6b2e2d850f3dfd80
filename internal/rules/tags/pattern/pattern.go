// Package pattern is the tag +k8s:pattern.
package pattern

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeSyntax = codes.New("pattern/syntax", "The pattern is not a regular expression in RE2 syntax. RE2 has no look-around and no backreferences.")
	codeEmpty  = codes.New("pattern/empty", "The empty pattern matches every string. Remove the tag.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:pattern", Meant: []string{"k8s:regex", "k8s:regexp"}, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload:    tag.Payload{Kinds: []model.ValueKind{model.StringValue}, Doc: "a regular expression in RE2 syntax; in backquotes it needs no escapes"},
		Repeatable: true,
		OpenAPI:    "pattern",
		Summary:    "A string matches a regular expression.",
		Doc: "The expression may match anywhere in the string, as in OpenAPI; to match the whole string, begin it with `^` and end it with `$`. " +
			"The syntax is RE2, which Go and API servers use; kindsmith checks it. With several tags, all expressions must match. " +
			"For common kinds of names, `+k8s:format` is faster and has better messages.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:pattern=\'^v[0-9]+$\'
			Version string \'json:"version"\'`),
		Bad: tag.Code(`
			// +k8s:pattern="^v[0-9+$"
			Version string \'json:"version"\' // the bracket is not closed`),
		ErrorType: "Invalid", Origin: "pattern",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

func rules(_ *tag.Node, c *model.Tag) []rule.Rule {
	return []rule.Rule{{Tag: "pattern", Must: &rule.Pattern{Regexp: c.Text()}}}
}
