// Package automaticdefaults is the tag +k8s:automaticDefaults.
package automaticdefaults

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:automaticDefaults", Role: model.RoleAutomaticDefaults, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Summary: "CustomResourceDefinitions have the defaults that follow from Go types.",
		Doc: "A Go client always sends a non-pointer struct, and a string, bool or number without `omitempty`. " +
			"With the tag, the schemas of the package's structs have `{}` and the zero value as the defaults of such fields, and do not require the fields, except those that are marked as required.\n\n" +
			"Without the tag, a schema requires every field that controller-gen requires. `{}` is the default of an optional struct with a `+default` in it, unless a rule depends on whether clients set the struct.",
		Good: tag.Code(`
			// +k8s:automaticDefaults
			package v1`),
		Bad: tag.Code(`
			// +k8s:automaticDefaults(all) // it has no arguments
			package v1`),
		Go:     tag.Elsewhere("Go has these values anyway"),
		Schema: tag.Elsewhere("the schema emitter publishes the defaults"),
	}
}
