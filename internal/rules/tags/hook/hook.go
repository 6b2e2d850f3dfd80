// Package hook is the tag +versioned:hook.
package hook

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
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
		Summary: "Functions run after the generated conversion of a struct: to split and merge fields.",
		Doc: "The functions take pointers to the struct in both versions: `func Upgrade(in *Before, out *T) error` and `func Downgrade(in *T, out *Before) error`, with or without the error. " +
			"`Before` is a struct of the newest version's package with fields that the type had before the version of the marker, by their JSON names and with their types. " +
			"Fields that are added to the struct or removed from it in that version are converted by the functions. Values not restored by the functions are tracked.",
		Good: tag.Code(`
			// +versioned:hook(since: "v1", upgrade: "SplitAddress", downgrade: "JoinAddress")
			type DatabaseSpec struct{}`),
		Bad: tag.Code(`
			// +versioned:hook(since: "v1") // which function? add upgrade, downgrade or both
			type DatabaseSpec struct{}`),
		Go:     tag.Elsewhere("the conversion emitter"),
		Schema: tag.Elsewhere("the conversion emitter"),
	}
}
