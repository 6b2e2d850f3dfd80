// Package added is the tag +versioned:added.
package added

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:added", Role: model.RoleAdded, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version in which it happened"},
			{Name: "default", Kinds: []model.ValueKind{model.StringValue, model.JSONValue, model.IntValue, model.BoolValue, model.RawValue}, Doc: "what fills the field when an older object is upgraded: a function func() T of the package, or a JSON value"},
			{Name: "downgradeTo", Kinds: []model.ValueKind{model.StringValue}, Doc: "on an enum's constant: the value that older versions see instead"},
			{Name: "lossy", Kinds: []model.ValueKind{model.StringValue}, Doc: "why the value may be lost in older versions"},
		},
		Summary: "The item did not exist before a version.",
		Doc:     "Older versions are generated without it. Without a default the field stays unset when an older object is upgraded.",
		Good:    "// +k8s:optional\n// +versioned:added(since: \"v1beta1\", default: \"DefaultBackup\")\nBackup *Backup `json:\"backup,omitempty\"`",
		Bad:     "// +versioned:added(since: \"v1beta1\")\n// +versioned:changed(since: \"v1beta1\", fromName: \"dump\") // two things in one version\nBackup *Backup `json:\"backup,omitempty\"`",
		Go:      tag.Elsewhere("the versions and conversion emitters"),
		Schema:  tag.Elsewhere("the versions and conversion emitters"),
	}
}
