// Package opaquetype is the tag +k8s:opaqueType.
package opaquetype

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:opaqueType", Aliases: []string{"k8s:opaque"}, Role: model.RoleOpaque, Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.AnyShape,
		Summary: "The rules on the field's type do not hold for this field.",
		Doc: "Only the field's own tags count. For native types whose rules are more than this API wants. " +
			"With `+k8s:eachVal` and `+k8s:eachKey` it is about the types of a list's or map's values, or of a map's keys. " +
			"On a type the type's own tags count, wherever it is used, and not those of its fields, of the type that it is declared from, or of the types of its values.",
		Good:   "// +k8s:required\n// +k8s:opaqueType\nTemplate *corev1.PodTemplateSpec `json:\"template\"`",
		Bad:    "// +k8s:opaqueType\nName string `json:\"name\"` // a string's type has no rules to leave out",
		Go:     tag.Elsewhere("the validation emitter does not descend into the type"),
		Schema: tag.Elsewhere("the schema has none of the rules of the type"),
	}
}
