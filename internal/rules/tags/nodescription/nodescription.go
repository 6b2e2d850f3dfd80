// Package nodescription is the tag +k8s:noDescription.
package nodescription

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:noDescription", Role: model.RoleNoDescription, Stability: tag.Stable, Scopes: tag.OnPackage | tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Values: []string{"nested"}, Optional: true, Doc: "nested keeps the description of the field or type itself"},
		Summary: "CustomResourceDefinitions have no description of the field and of the fields in it.",
		Doc: "For large embedded types, whose documentation is elsewhere. On a type, it applies to the type and its fields wherever the type is used; above a package clause, to all types of the package. " +
			"A field whose type has the tag keeps its own description.\n\n" +
			"`--max-crd-size` leaves out descriptions until a definition fits, the deepest first.",
		Good: tag.Code(`
			// Template is the pod.
			// +k8s:noDescription=nested
			Template corev1.PodTemplateSpec \'json:"template"\'`),
		Bad: tag.Code(`
			// +k8s:noDescription=all
			Template PodTemplate \'json:"template"\' // nested, or no value`),
		Go:     tag.Elsewhere("comments are not part of Go values"),
		Schema: tag.Elsewhere("the schema emitter leaves out the descriptions"),
	}
}
