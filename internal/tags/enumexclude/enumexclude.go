// Package enumexclude is the tag +k8s:enumExclude.
package enumexclude

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNested    = codes.New("enumexclude/nested", "A constant is left out on one option at a time. With several tags it is left out when any of them says so.")
	codeNotAnEnum = codes.New("enumexclude/not-an-enum", "The constant's type is not tagged +k8s:enum, so there is nothing to exclude it from.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:enumExclude", Role: model.RoleEnumExclude, Stability: tag.Alpha, Scopes: tag.OnConst, Shapes: tag.AnyShape,
		Summary: "A constant of an enum's type is not one of its values.",
		Doc: "For constants that the program uses and clients may not send. " +
			"Behind `+k8s:ifEnabled` or `+k8s:ifDisabled` the constant is left out while an option is on or off; with several of these, while any of them says so.",
		Good:  "// +k8s:enum\ntype Phase string\n\nconst (\n\tPhaseReady Phase = \"Ready\"\n\t// +k8s:enumExclude\n\tphaseUnknown Phase = \"\"\n)",
		Bad:   "// +k8s:enumExclude\nconst MaxUsers int = 100 // not a constant of an enum",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			for _, s := range n.Siblings {
				if bare, under := s.Bare(); bare == c && len(under) > 1 {
					bag.Errorf(s.Span, codeNested, "a constant can depend on one option at a time; write a tag for each option, any of which then leaves it out")
				}
			}
			if n.Owner != nil && !model.Says(n.Owner.Constraints, model.RoleEnum) {
				bag.Warnf(c.Span, codeNotAnEnum, "type %s is not an enum, so there is nothing to exclude the constant from; tag the type +k8s:enum or drop this tag", n.Owner.Name)
			}
		},
		Go:     tag.Elsewhere("+k8s:enum leaves the constant out"),
		Schema: tag.Elsewhere("+k8s:enum leaves the constant out"),
	}
}
