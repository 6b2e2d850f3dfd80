// Package declarativevalidationnative is the tag +k8s:declarativeValidationNative.
package declarativevalidationnative

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeWithLevel = codes.New("declarativevalidationnative/with-level", "Native rules are always enforced, but gates decide about alpha and beta rules. Remove the tag or the level.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:declarativeValidationNative", Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Summary: "The rules of this field or type have no hand-written counterpart.",
		Doc:     "Their errors are enforced regardless of gates, like those of all rules that are neither alpha nor beta. The tag documents, for people and for tools, that there is no hand-written validation to compare with.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:declarativeValidationNative
			// +k8s:maxLength=63
			Engine string \'json:"engine"\'`),
		Bad: tag.Code(`
			// +k8s:declarativeValidationNative
			// +k8s:alpha=+k8s:maxLength=63
			Engine string \'json:"engine"\' // an alpha rule is never enforced`),
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			for _, s := range n.Siblings {
				if s.Role.IsLevel() {
					bag.Errorf(c.Span, codeWithLevel, "native rules are always enforced, but one of the rules here is %s; remove this tag or the level", s.ShortName()).
						Note(s.Span, "the level")
				}
			}
		},
		Go:     tag.Elsewhere("errors of rules without a level are enforced anyway"),
		Schema: tag.Elsewhere("the schema has the rules anyway"),
	}
}
