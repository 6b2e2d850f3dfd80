// Package exclusivemaximum is the tag +k8s:exclusiveMaximum.
package exclusivemaximum

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeOutOfRange = codes.New("exclusivemaximum/out-of-range", "The bound is out of range for the field's type.")
	codeNoValue    = codes.New("exclusivemaximum/no-value", "The bound is the smallest value of the field's type, so no value satisfies it.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:exclusiveMaximum", Role: model.RoleExclusiveMaximum, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Integers | tag.Durations | tag.Quantities,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IntValue, model.StringValue}, Measured: true, Doc: "the exclusive bound: an integer that fits the field's type, or a duration or a quantity in quotes"},
		Summary: "An integer, a duration or a quantity is less than this.",
		Doc:     "The rule does not apply to an unset optional field.\n\n" + tag.MeasuresDoc,
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:exclusiveMaximum=100
			Percentage *int32 \'json:"percentage,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:exclusiveMaximum=0
			Port uint16 \'json:"port"\' // no uint16 is less`),
		ErrorType: "Invalid", Origin: "exclusiveMaximum",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if tag.CheckFits(codeOutOfRange, n, c, bag) {
				tag.CheckEdge(codeNoValue, n, c, bag)
			}
		},
		Lower: tag.Bounds(rule.ExclusiveMaximum),
	}
}
