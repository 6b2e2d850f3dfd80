// Package moved is the tag +versioned:moved.
package moved

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:moved", Role: model.RoleMoved, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version in which it happened"},
			{Name: "fromPath", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "where the field was: spec.old.place"},
		},
		Summary: "The field lived elsewhere in the same kind before a version.",
		Doc:     "Not built yet: older versions have the field where it is now, and a warning says so.",
		Good:    "// +versioned:moved(since: \"v1\", fromPath: \"spec.backupSchedule\")\nSchedule string `json:\"schedule\"`",
		Bad:     "// +versioned:moved(since: \"v1\") // from where? say fromPath\nSchedule string `json:\"schedule\"`",
		Go:      tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:  tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
