// Package changed is the tag +versioned:changed.
package changed

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:changed", Role: model.RoleChanged, Stability: tag.Stable, Scopes: tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version in which it happened"},
			{Name: "fromName", Kinds: []model.ValueKind{model.StringValue}, Doc: "the name that it had before"},
			{Name: "fromType", Kinds: []model.ValueKind{model.StringValue}, Doc: "the Go type that it had before"},
			{Name: "upgradeWith", Kinds: []model.ValueKind{model.StringValue}, Doc: "a function func(Old) New or func(Old) (New, error) of the package"},
			{Name: "downgradeWith", Kinds: []model.ValueKind{model.StringValue}, Doc: "a function func(New) Old or func(New) (Old, error) of the package"},
			{Name: "lossy", Kinds: []model.ValueKind{model.StringValue}, Doc: "why values may change on the way"},
		},
		Repeatable: true,
		Summary:    "The item had another name or type before a version.",
		Doc:        "Functions are needed where Go does not convert the types without loss.",
		Good:       "// +k8s:optional\n// +versioned:changed(since: \"v1\", fromName: \"timeout\", fromType: \"string\", upgradeWith: \"ParseSeconds\", downgradeWith: \"FormatSeconds\")\nTimeoutSeconds *int32 `json:\"timeoutSeconds,omitempty\"`",
		Bad:        "// +versioned:changed(since: \"v1\") // what changed? say fromName, fromType or both\nTimeoutSeconds *int32 `json:\"timeoutSeconds,omitempty\"`",
		Go:         tag.Elsewhere("the versions and conversion emitters"),
		Schema:     tag.Elsewhere("the versions and conversion emitters"),
	}
}
