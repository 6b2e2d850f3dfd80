// Package enumexclude is the tag +k8s:enumExclude.
package enumexclude

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:enumExclude", Stability: tag.Alpha, Scopes: tag.OnConst, Shapes: tag.AnyShape,
		Summary: "A constant of an enum's type is not one of its values.",
		Doc:     "For constants that the program uses and clients may not send.",
		Good:    "// +k8s:enum\ntype Phase string\n\nconst (\n\tPhaseReady Phase = \"Ready\"\n\t// +k8s:enumExclude\n\tphaseUnknown Phase = \"\"\n)",
		Bad:     "// +k8s:enumExclude\nconst MaxUsers int = 100 // not a constant of an enum",
		Errors: map[string]string{
			"enumexclude/not-an-enum": "The constant's type is not tagged +k8s:enum, so there is nothing to exclude it from.",
		},
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			if n.Owner != nil && !model.Says(n.Owner.Constraints, "k8s:enum") {
				bag.Errorf(c.Span, "enumexclude/not-an-enum", "type %s is not an enum, so there is nothing to exclude the constant from; tag the type +k8s:enum or drop this tag", n.Owner.Name)
			}
		},
		Go:     tag.Elsewhere("+k8s:enum leaves the constant out"),
		Schema: tag.Elsewhere("+k8s:enum leaves the constant out"),
	}
}
