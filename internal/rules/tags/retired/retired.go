// Package retired is the tag +versioned:retired.
package retired

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// argName is the version.
var argName = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version, such as `v1alpha1`"}

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:retired", Role: model.RoleRetired, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape, Repeatable: true,
		Args: []tag.Arg{argName},
		Declares: func(c *model.Tag) any {
			name := c.Arg(argName.Name)
			return &model.Retired{Name: name.Or(""), Span: name.Place(c.Span)}
		},
		Summary: "A version that the API had before.",
		Doc: "Objects keep values that only an older version can represent, for the day on which they are converted back to it. If you remove the oldest version, no conversion goes back to it, but objects carry these values on. " +
			"With this tag in place of `+versioned:version`, conversions remove them.",
		Good: tag.Code(`
			// +versioned:retired(name: "v1alpha1")
			// +versioned:version(name: "v1beta1")
			// +versioned:version(name: "v1")
			package v1`),
		Bad: tag.Code(`
			// +versioned:retired(name: "v1beta1")
			// +versioned:version(name: "v1beta1") // is it still there?
			// +versioned:version(name: "v1")
			package v1`),
		Go:     tag.Elsewhere("the conversion emitter"),
		Schema: tag.Elsewhere("annotations are not in the schema"),
	}
}
