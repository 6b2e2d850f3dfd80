// Package version is the tag +versioned:version.
package version

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:version", Role: model.RoleVersion, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version: v1, v1beta1, v1alpha2"},
			{Name: "deprecated", Kinds: []model.ValueKind{model.StringValue, model.BoolValue}, Doc: "that the version is deprecated, with what to use instead"},
			{Name: "served", Kinds: []model.ValueKind{model.BoolValue}, Doc: "whether an API server serves it; true unless said"},
			{Name: "storage", Kinds: []model.ValueKind{model.BoolValue}, Doc: "whether objects are stored in it; the newest version unless said"},
		},
		Repeatable: true,
		Summary:    "A version of the API that the package is the newest of.",
		Doc:        "One for each version, above the package clause, in the order in which the versions appeared, the package's own last. kindsmith writes the older ones beside the package, with conversions to and from it.",
		Good:       "// +groupName=example.com\n// +versioned:version(name: \"v1beta1\", deprecated: \"use v1\")\n// +versioned:version(name: \"v1\", storage: true)\npackage v1",
		Bad:        "// +versioned:version(name: \"v1\")\n// +versioned:version(name: \"v1beta1\") // older than v1: declare it first\npackage v1",
		Go:         tag.Elsewhere("says what is generated, not what it checks"),
		Schema:     tag.Elsewhere("each version is one of the CustomResourceDefinition's"),
	}
}
