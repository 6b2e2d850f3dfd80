// Package output is the tag +versioned:output.
package output

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:output", Role: model.RoleOutput, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the folder of each version, such as ../old/{version}"},
		},
		Summary: "The folders of older versions.",
		Doc: "The folder is relative to that of the newest version's package, and its last element is `{version}`. By default, the folders are next to that of the newest version: `../{version}`. " +
			"Hand-written older versions are in these folders too. The setting `--versions-dir` has the same meaning for packages without the tag.\n\n" +
			"To move generated versions, change the folder and run `kindsmith generate ./...`, which removes the files in the old folders. Their import paths change.",
		Good: tag.Code(`
			// +versioned:output("../old/{version}")
			package v1`),
		Bad: tag.Code(`
			// +versioned:output("../old") // all versions in one folder: add {version}
			package v1`),
		Go:     tag.Elsewhere("all generated files of older versions"),
		Schema: tag.Elsewhere("the definition has all versions, wherever they are"),
	}
}
