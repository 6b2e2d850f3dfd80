// Package moved is the tag +versioned:moved.
package moved

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argFromPath = tag.Arg{Name: "fromPath", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the previous path of the field: spec.old.name, .old.name from the struct that has the field, or metadata.annotations['key']"}
	argFromType = tag.Arg{Name: "fromType", Kinds: []model.ValueKind{model.StringValue}, Doc: "the Go type at the previous path, if it is another"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:moved", Role: model.RoleMoved, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argFromPath,
			argFromType,
			tag.ArgTransform,
			tag.ArgLossy,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Moved{ChangeBase: tag.BaseOf(c), FromPath: c.Arg(argFromPath.Name), FromType: c.Arg(argFromType.Name), Transform: c.Arg(tag.ArgTransform.Name), Losses: tag.LossesOf(c)}
		},
		Summary: "The field was moved within its kind in a version.",
		Doc: "Older versions have the field at its previous path: from the kind, with `[]` after lists and maps (`spec.pods[].old`), or, with a dot before it, from the struct that has the field (`.old`). " +
			"The structs on the path exist in older versions; those that only older versions have are removed fields. A field stays within its item of a list or map. " +
			"A field can also have been a label or an annotation: `fromPath: \"metadata.annotations['example.com/retries']\", transform: \"integer\"`. The transform converts between strings and the type of the field; fields with strings need none.",
		Good: tag.Code(`
			// +versioned:moved(since: "v1", fromPath: "spec.backupSchedule")
			Schedule string \'json:"schedule"\'`),
		Bad: tag.Code(`
			// +versioned:moved(since: "v1") // from where? add fromPath
			Schedule string \'json:"schedule"\'`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
