// Package removed is the tag +versioned:removed.
package removed

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argName = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the name that it had"}
	argType = tag.Arg{Name: "type", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the Go type that it had"}
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
		Declares: func(c *model.Constraint) any {
			return &model.Removed{ChangeBase: tag.BaseOf(c), Name: c.Arg(argName.Name), Type: c.Arg(argType.Name)}
		},
		Summary: "A field that older versions have and newer ones do not.",
		Doc:     "Not built yet: older versions are generated without the field, and a warning says so.",
		Good:    "// +versioned:removed(since: \"v1\", name: \"legacyPort\", type: \"int32\")\ntype DatabaseSpec struct{}",
		Bad:     "// +versioned:removed(since: \"v1\") // which field? say name and type\ntype DatabaseSpec struct{}",
		Go:      tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:  tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
