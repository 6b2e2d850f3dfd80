// Package moved is the tag +versioned:moved.
package moved

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argFromPath = tag.Arg{Name: "fromPath", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the previous path of the field: spec.old.name"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:moved", Role: model.RoleMoved, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argFromPath,
		},
		Declares: func(c *model.Tag) any {
			return &model.Moved{ChangeBase: tag.BaseOf(c), FromPath: c.Arg(argFromPath.Name)}
		},
		Summary: "The field was moved within its kind in a version.",
		Doc:     "Not implemented yet: older versions have the field at its new path, and a warning reports this.",
		Good:    "// +versioned:moved(since: \"v1\", fromPath: \"spec.backupSchedule\")\nSchedule string `json:\"schedule\"`",
		Bad:     "// +versioned:moved(since: \"v1\") // from where? add fromPath\nSchedule string `json:\"schedule\"`",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
