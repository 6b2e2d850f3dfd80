// Package moved is the tag +versioned:moved.
package moved

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argFromPath = tag.Arg{Name: "fromPath", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "where the field was: spec.old.place"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:moved", Role: model.RoleMoved, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argFromPath,
		},
		Declares: func(c *model.Constraint) any {
			return &model.Moved{ChangeBase: tag.BaseOf(c), FromPath: c.Arg(argFromPath.Name)}
		},
		Summary: "The field lived elsewhere in the same kind before a version.",
		Doc:     "Not built yet: older versions have the field where it is now, and a warning says so.",
		Good:    "// +versioned:moved(since: \"v1\", fromPath: \"spec.backupSchedule\")\nSchedule string `json:\"schedule\"`",
		Bad:     "// +versioned:moved(since: \"v1\") // from where? say fromPath\nSchedule string `json:\"schedule\"`",
		Go:      tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:  tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
