// Package enumexclude is the tag +k8s:enumExclude.
package enumexclude

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNested    = codes.New("enumexclude/nested", "A tag names one option. Write a tag for each option; any of them excludes the constant.")
	codeNotAnEnum = codes.New("enumexclude/not-an-enum", "The constant's type is not tagged +k8s:enum, so there is nothing to exclude it from.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:enumExclude", Role: model.RoleEnumExclude, Stability: tag.Alpha, Scopes: tag.OnConst, Shapes: tag.AnyShape,
		Summary: "A constant of an enum type is not a valid value.",
		Doc: "For constants that the program uses but clients must not send. " +
			"With `+k8s:ifEnabled` or `+k8s:ifDisabled`, the constant is excluded only if the option is enabled or disabled. With several of these, any of them excludes it.",
		Good: tag.Code(`
			// +k8s:enum
			type Phase string

			const (
				PhaseReady Phase = "Ready"
				// +k8s:enumExclude
				phaseUnknown Phase = ""
			)`),
		Bad: tag.Code(`
			// +k8s:enumExclude
			const MaxUsers int = 100 // not a constant of an enum`),
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			for _, s := range n.Siblings {
				if bare, under := s.Bare(); bare == c && len(under) > 1 {
					bag.Errorf(s.Span, codeNested, "a tag can name only one option; write a tag for each option, any of which excludes the constant")
				}
			}
			if n.Owner != nil && !model.HasBare(n.Owner.Tags, model.RoleEnum) {
				bag.Warnf(c.Span, codeNotAnEnum, "type %s is not an enum, so there is nothing to exclude the constant from; add +k8s:enum to the type, or remove this tag", n.Owner.Name)
			}
		},
		Go:     tag.Elsewhere("+k8s:enum excludes the constant"),
		Schema: tag.Elsewhere("+k8s:enum excludes the constant"),
	}
}
