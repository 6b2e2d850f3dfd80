// Package output is the tag +versioned:output.
package output

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:output", Role: model.RoleOutput, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the folder of each version, with {version} in it"},
		},
		Summary: "Where older versions are written.",
		Doc:     "Not built yet: they are written beside the newest version's package.",
		Good:    "// +versioned:output(\"../{version}\")\npackage v1",
		Bad:     "// +versioned:output(\"../old\") // all versions in one folder: say {version}\npackage v1",
		Go:      tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:  tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
