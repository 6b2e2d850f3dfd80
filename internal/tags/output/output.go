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
			{Name: "", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the folder of each version, such as ../{version}"},
		},
		Summary: "The folders of older versions.",
		Doc:     "Not implemented yet: they are written beside the package of the newest version.",
		Good:    "// +versioned:output(\"../{version}\")\npackage v1",
		Bad:     "// +versioned:output(\"../old\") // all versions in one folder: add {version}\npackage v1",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
