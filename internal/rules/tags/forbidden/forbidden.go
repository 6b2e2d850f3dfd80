// Package forbidden is the tag +k8s:forbidden.
package forbidden

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeStructValue = codes.New("forbidden/struct-value", "A non-pointer struct is always set, so it cannot be forbidden. Make the field a pointer.")
	codeWithDefault = codes.New("forbidden/with-default", "A default would set the forbidden field. Remove the default or the tag.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:forbidden", Role: model.RoleForbidden, Stability: tag.Beta, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Summary: "The field must not be set.",
		Doc: "For a field of the Go type that clients must not use: a field of an inlined struct, " +
			"or a field that only some versions or modes allow.",
		Good: tag.Code(`
			// +k8s:forbidden
			LegacyName string \'json:"legacyName,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:forbidden
			// +default="a"
			LegacyName string \'json:"legacyName,omitempty"\'`),
		ErrorType: "Forbidden",
		Codes:     codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if n.AlwaysSet() {
				bag.Errorf(c.Span, codeStructValue, "field %s is a non-pointer struct, which is always set, so it cannot be forbidden; make it a pointer", n.Field.Name)
			}
			if d := n.Field.Default; d != nil {
				bag.Errorf(c.Span, codeWithDefault, "field %s is forbidden, but its default sets it; remove one of the two", n.Field.Name).
					Note(d.Span, "the default")
			}
		},
		Lower: func(*tag.Node, *model.Tag) []rule.Rule {
			return []rule.Rule{
				{Tag: "forbidden", Effect: rule.Stop, Must: &rule.Forbidden{}},
				// No other rules apply to a forbidden field that is unset.
				{Tag: "forbidden", Effect: rule.Guard, Must: &rule.IsSet{}},
			}
		},
	}
}
