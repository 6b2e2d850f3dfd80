// Package opaquetype is the tag +k8s:opaqueType.
package opaquetype

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoEffect = codes.New("opaquetype/no-effect", "Only declared types have rules, and the type is predeclared, such as `string`. Remove the tag.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:opaqueType", Aliases: []string{"k8s:opaque"}, Role: model.RoleOpaque, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.AnyShape,
		Summary: "The rules on the field's type do not apply to this field.",
		Doc: "Only the field's own tags apply. For native types with rules that are too strict for this API. " +
			"With `+k8s:eachVal` and `+k8s:eachKey`, the rules on the types of a list's or map's values, or of a map's keys, do not apply. " +
			"On a type, only the type's own tags apply, and not those of its fields, of its underlying type, or of the types of its values.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:opaqueType
			Template *corev1.PodTemplateSpec \'json:"template"\'`),
		Bad: tag.Code(`
			// +k8s:opaqueType
			Name string \'json:"name"\' // the type string has no rules`),
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			of := n.Type
			for of.Kind == model.KindPointer {
				of = of.Elem
			}
			if n.Scope != tag.OnType && of.Kind == model.KindBuiltin {
				bag.Warnf(c.Span, codeNoEffect, "%s has the type %s, which has no rules to omit; remove the tag", n.Describe(), of)
			}
		},
		Go:     tag.Elsewhere("the validation emitter does not descend into the type"),
		Schema: tag.Elsewhere("the schema has none of the rules of the type"),
	}
}
