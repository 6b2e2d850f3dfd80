// Package until is the tag +versioned:until.
package until

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:until", Role: model.RoleUntil, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "", Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Doc: "the last version in which the tag applies"},
		},
		Payload:    tag.Payload{Tag: true, Doc: "the tag to apply"},
		Repeatable: true,
		Summary:    "A tag applies until a version.",
		Doc:        "Newer versions, including the newest, do not have the tag.",
		Good: tag.Code(`
			// +k8s:required
			// +versioned:until("v1beta1")=+k8s:maxLength=253
			// +versioned:since("v1")=+k8s:maxLength=63
			Name string \'json:"name"\'`),
		Bad: tag.Code(`
			// +versioned:until("v1")=+k8s:maxLength=63 // applies in every version: write the tag itself
			Name string \'json:"name"\'`),
		Go:     tag.Elsewhere("each version is generated with its tags"),
		Schema: tag.Elsewhere("each version is generated with its tags"),
	}
}
