// Package maximum is the tag +k8s:maximum.
package maximum

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeOutOfRange = codes.New("maximum/out-of-range", "The bound is out of range for the field's type.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:maximum", Meant: []string{"k8s:max"}, Role: model.RoleMaximum, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Integers | tag.Durations | tag.Quantities,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue, model.StringValue}, Measured: true, Doc: "the largest value: an integer that fits the field's type, or a duration or a quantity in quotes"},
		Instead: map[tag.Shape]string{tag.Strings: "k8s:maxLength", tag.Lists: "k8s:maxItems", tag.Maps: "k8s:maxProperties"},
		OpenAPI: "maximum",
		Summary: "An integer, a duration or a quantity is at most this large.",
		Doc:     "The rule does not apply to an unset optional field.\n\n" + tag.MeasuresDoc,
		Good: tag.Code(`
			// +k8s:required
			// +k8s:minimum=1
			// +k8s:maximum=65535
			Port int32 \'json:"port"\'
			// +k8s:optional
			// +k8s:maximum="16Gi"
			Memory *resource.Quantity \'json:"memory,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:maximum=300
			Priority uint8 \'json:"priority"\' // a uint8 is never above 255`),
		ErrorType: "Invalid", Origin: "maximum",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) { tag.CheckFits(codeOutOfRange, n, c, bag) },
		Lower: tag.Bounds(rule.Maximum),
	}
}
