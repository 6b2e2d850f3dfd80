// Package beta is the tag +k8s:beta.
package beta

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeSince = codes.New("beta/since", "A version is written as \"1.37\": major and minor number.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:beta", Role: model.RoleBeta, Stability: tag.Beta, Scopes: tag.Anywhere, Shapes: tag.AnyShape,
		Args: []tag.Arg{{
			Name: "since", Kinds: []model.ValueKind{model.StringValue},
			Doc: "the Kubernetes version that the rule is beta since, such as \"1.37\"",
		}},
		Payload: tag.Payload{Tag: true, Doc: "the tag whose rules are beta"}, Repeatable: true,
		Summary: "A tag whose rules are beta: enforced unless the gate of beta rules is off.",
		Doc: "Errors are the inner tag's, marked as beta; whoever runs validation decides what becomes of them. " +
			"The tag is the outermost of a chain. What a tag says of the shape of the API, such as that a list is a map or a field a member of a union, holds at every level.\n\n" +
			"Published schemas have beta rules and no alpha ones, unless `--level` says otherwise.",
		Good:  "// +k8s:optional\n// +k8s:beta(since: \"1.37\")=+k8s:minimum=1\nReplicas *int32 `json:\"replicas,omitempty\"`",
		Bad:   "// +k8s:eachVal=+k8s:beta=+k8s:minimum=1\nPorts []int32 `json:\"ports\"` // outermost: +k8s:beta=+k8s:eachVal=+k8s:minimum=1",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Constraint, bag *diag.Bag) { tag.CheckSince(codeSince, c, bag) },
		Lower: tag.ConditionalRules,
	}
}
