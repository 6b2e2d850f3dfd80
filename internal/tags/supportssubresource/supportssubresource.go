// Package supportssubresource is the tag +k8s:supportsSubresource.
package supportssubresource

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoSlash = codes.New("supportssubresource/no-slash", "A subresource's path begins with a slash.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:supportsSubresource", Role: model.RoleSupportsSubresource, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Structs, Repeatable: true,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.StringValue}, Doc: "the subresource's path, with its slash"},
		Summary: "The type is validated on requests of this subresource too.",
		Doc:     "A request of a subresource that the type does not name is an internal error of the API server.",
		Good:    "// +k8s:supportsSubresource=\"/status\"\ntype Database struct{}",
		Bad:     "// +k8s:supportsSubresource=\"status\" // a path begins with a slash\ntype Database struct{}",
		Codes:   codes.All(),
		Check: func(_ *tag.Node, c *model.Constraint, bag *diag.Bag) {
			if !strings.HasPrefix(c.Text(), "/") {
				bag.Warnf(c.Payload.Span, codeNoSlash, "a subresource's path begins with a slash: \"/%s\"", c.Text()).
					Suggest(c.Payload.Span, tag.Quote("/"+c.Text()), "add the slash")
			}
		},
		Go:     tag.Elsewhere("RegisterValidations registers the type's validator for this subresource too"),
		Schema: tag.Elsewhere("+kubebuilder:subresource says which subresources a CustomResourceDefinition has"),
	}
}
