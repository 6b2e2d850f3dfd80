// Package hook is the tag +versioned:hook.
package hook

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argUpgrade   = tag.Arg{Name: "upgrade", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Function, Doc: "a function called after the generated upgrade"}
	argDowngrade = tag.Arg{Name: "downgrade", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Function, Doc: "a function called after the generated downgrade"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:hook", Role: model.RoleHook, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argUpgrade,
			argDowngrade,
			tag.ArgLossless,
			tag.ArgLossy,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Hook{ChangeBase: tag.BaseOf(c), Upgrade: c.Arg(argUpgrade.Name), Downgrade: c.Arg(argDowngrade.Name), Losses: tag.LossesOf(c)}
		},
		Summary: "A hand-written function runs after a generated conversion.",
		Doc:     "Not implemented yet: the functions are not called, and a warning reports this.",
		Good:    "// +versioned:hook(since: \"v1\", upgrade: \"SplitAddress\", downgrade: \"JoinAddress\")\ntype DatabaseSpec struct{}",
		Bad:     "// +versioned:hook(since: \"v1\") // which function? add upgrade, downgrade or both\ntype DatabaseSpec struct{}",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
