// Package alpha is the tag +k8s:alpha.
package alpha

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeSince = codes.New("alpha/since", "Write a version as \"1.37\": major and minor number.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:alpha", Role: model.RoleAlpha, Stability: tag.Beta, Scopes: tag.Anywhere, Shapes: tag.AnyShape,
		Args: []tag.Arg{{
			Name: "since", Kinds: []model.ValueKind{model.StringValue},
			Doc: "the Kubernetes version since which the rule is alpha, such as \"1.37\"",
		}},
		Payload: tag.Payload{Tag: true, Doc: "the tag whose rules are alpha"}, Repeatable: true,
		Summary: "The tag's rules are alpha: compared with hand-written validation, but not enforced.",
		Doc: "Errors are those of the inner tag, marked as alpha; the caller of validation decides whether to enforce them. " +
			"Write the tag first in a chain of tags. The level does not affect the shape of the API, such as the type of a list or the members of a union.\n\n" +
			"Published schemas have beta rules and no alpha rules, unless `--level` selects another level.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:alpha(since: "1.37")=+k8s:minimum=1
			Replicas *int32 \'json:"replicas,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:alpha(since: "v1.37")=+k8s:minimum=1
			Ports int32 \'json:"ports"\' // write since: "1.37"`),
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) { tag.CheckSince(codeSince, c, bag) },
		Lower: tag.ConditionalRules,
	}
}
