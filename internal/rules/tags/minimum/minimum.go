// Package minimum is the tag +k8s:minimum.
package minimum

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeOutOfRange   = codes.New("minimum/out-of-range", "The bound is out of range for the field's type.")
	codeAboveMaximum = codes.New("minimum/above-maximum", "minimum is above maximum, so no value can satisfy both.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:minimum", Meant: []string{"k8s:min"}, Role: model.RoleMinimum, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Integers | tag.Durations | tag.Quantities,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue, model.StringValue}, Measured: true, Doc: "the smallest value: an integer that fits the field's type, or a duration or a quantity in quotes"},
		Instead: map[tag.Shape]string{tag.Strings: "k8s:minLength", tag.Lists: "k8s:minItems", tag.Maps: "k8s:minProperties"},
		OpenAPI: "minimum",
		Summary: "An integer, a duration or a quantity is at least this large.",
		Doc:     "The rule does not apply to an unset optional field.\n\n" + tag.MeasuresDoc,
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:minimum=1
			Replicas *int32 \'json:"replicas,omitempty"\'
			// +k8s:optional
			// +k8s:minimum="30s"
			Timeout *metav1.Duration \'json:"timeout,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:minimum=-1
			Port uint16 \'json:"port"\' // a uint16 is never negative`),
		ErrorType: "Invalid", Origin: "minimum",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckFits(codeOutOfRange, n, c, bag) {
				tag.CheckRange(codeAboveMaximum, n, c, bag)
			}
		},
		Lower: tag.Bounds(rule.Minimum),
	}
}
