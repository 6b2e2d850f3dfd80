// Package since is the tag +versioned:since.
package since

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:since", Role: model.RoleSince, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Doc: "the first version in which the tag applies"},
		},
		Payload:    tag.Payload{Tag: true, Doc: "the tag to apply"},
		Repeatable: true,
		Summary:    "A tag applies since a version.",
		Doc:        "Generated older versions do not have the tag.",
		Good: tag.Code(`
			// +k8s:required
			// +versioned:since("v1")=+k8s:maxLength=63
			Name string \'json:"name"\'`),
		Bad: tag.Code(`
			// +versioned:since("v3")=+k8s:maxLength=63 // a version that is not declared
			Name string \'json:"name"\'`),
		Go:     tag.Elsewhere("each version is generated with its tags"),
		Schema: tag.Elsewhere("each version is generated with its tags"),
	}
}
