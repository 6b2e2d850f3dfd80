// Package supportssubresource is the tag +k8s:supportsSubresource.
package supportssubresource

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoSlash = codes.New("supportssubresource/no-slash", "The path of a subresource begins with a slash.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:supportsSubresource", Role: model.RoleSupportsSubresource, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Structs, Repeatable: true,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.StringValue}, Doc: "the path of the subresource, with the slash"},
		Summary: "Requests of this subresource validate the type too.",
		Doc:     "Validating a request of a subresource that the type does not name is an internal error.",
		Good: tag.Code(`
			// +k8s:supportsSubresource="/status"
			type Database struct{}`),
		Bad: tag.Code(`
			// +k8s:supportsSubresource="status" // a path begins with a slash
			type Database struct{}`),
		Codes:  codes.All(),
		Check:  tag.CheckSubresource(codeNoSlash),
		Go:     tag.Elsewhere("RegisterValidations registers the type's validator for this subresource too"),
		Schema: tag.Elsewhere("+kubebuilder:subresource defines the subresources of a CustomResourceDefinition"),
	}
}
