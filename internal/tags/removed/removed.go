// Package removed is the tag +versioned:removed.
package removed

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argName = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the name of the field"}
	argType = tag.Arg{Name: "type", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the Go type of the field"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:removed", Role: model.RoleRemoved, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argName,
			argType,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Removed{ChangeBase: tag.BaseOf(c), Name: c.Arg(argName.Name), Type: c.Arg(argType.Name)}
		},
		Summary: "A field was removed in a version.",
		Doc:     "Not implemented yet: generated older versions do not have the field, and a warning reports this.",
		Good:    "// +versioned:removed(since: \"v1\", name: \"legacyPort\", type: \"int32\")\ntype DatabaseSpec struct{}",
		Bad:     "// +versioned:removed(since: \"v1\") // which field? add name and type\ntype DatabaseSpec struct{}",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
