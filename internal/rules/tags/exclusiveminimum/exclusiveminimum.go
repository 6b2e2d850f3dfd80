// Package exclusiveminimum is the tag +k8s:exclusiveMinimum.
package exclusiveminimum

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeOutOfRange   = codes.New("exclusiveminimum/out-of-range", "The bound is out of range for the field's type.")
	codeNoValue      = codes.New("exclusiveminimum/no-value", "The bound is the largest value of the field's type, so no value satisfies it.")
	codeAboveMaximum = codes.New("exclusiveminimum/above-maximum", "exclusiveMinimum leaves no value below maximum or exclusiveMaximum.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:exclusiveMinimum", Role: model.RoleExclusiveMinimum, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Integers | tag.Durations | tag.Quantities,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue, model.StringValue}, Measured: true, Doc: "the exclusive bound: an integer that fits the field's type, or a duration or a quantity in quotes"},
		Summary: "An integer, a duration or a quantity is greater than this.",
		Doc:     "The rule does not apply to an unset optional field.\n\n" + tag.MeasuresDoc,
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:exclusiveMinimum=0
			TimeoutSeconds *int32 \'json:"timeoutSeconds,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:exclusiveMinimum=65535
			Port uint16 \'json:"port"\' // no uint16 is greater`),
		ErrorType: "Invalid", Origin: "exclusiveMinimum",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckFits(codeOutOfRange, n, c, bag) && tag.CheckEdge(codeNoValue, n, c, bag) {
				tag.CheckRange(codeAboveMaximum, n, c, bag)
			}
		},
		Lower: tag.Bounds(rule.ExclusiveMinimum),
	}
}
