// Package declarativevalidationnative is the tag +k8s:declarativeValidationNative.
package declarativevalidationnative

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeWithLevel = codes.New("declarativevalidationnative/with-level", "Native rules are enforced always, and alpha and beta rules by the gates. Drop the tag or the level.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:declarativeValidationNative", Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Summary: "The rules at this place have no hand-written counterpart.",
		Doc:     "Their errors are enforced whatever the gates say. That is so of every rule that is neither alpha nor beta, so the tag says to people and to tools that compare with hand-written validation that there is nothing to compare with.",
		Good:    "// +k8s:required\n// +k8s:declarativeValidationNative\n// +k8s:maxLength=63\nEngine string `json:\"engine\"`",
		Bad:     "// +k8s:declarativeValidationNative\n// +k8s:alpha=+k8s:maxLength=63\nEngine string `json:\"engine\"` // an alpha rule is never enforced",
		Codes:   codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			for _, s := range n.Siblings {
				if s.Role.IsLevel() {
					bag.Errorf(c.Span, codeWithLevel, "rules at this place are native, which are enforced always, and one is %s; drop this tag or the level", s.ShortName()).
						Note(s.Span, "the level is here")
				}
			}
		},
		Go:     tag.Elsewhere("errors of rules without a level are enforced, as native ones are"),
		Schema: tag.Elsewhere("the rules are in the schema like any others"),
	}
}
