// Package issubresource is the tag +k8s:isSubresource.
package issubresource

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoSlash = codes.New("issubresource/no-slash", "The path of a subresource begins with a slash.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:isSubresource", Role: model.RoleIsSubresource, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Structs,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.StringValue}, Doc: "the path of the subresource, with the slash"},
		Summary: "The type is the body of a subresource.",
		Doc:     "Its registered validator validates only requests of that subresource.",
		Good: tag.Code(`
			// +k8s:isSubresource="/scale"
			type Scale struct{}`),
		Bad: tag.Code(`
			// +k8s:isSubresource="scale" // a path begins with a slash
			type Scale struct{}`),
		Codes:  codes.All(),
		Check:  tag.CheckSubresource(codeNoSlash),
		Go:     tag.Elsewhere("RegisterValidations registers the type's validator for this subresource"),
		Schema: tag.Unsupported("a CustomResourceDefinition has no schemas for bodies of subresources"),
	}
}
