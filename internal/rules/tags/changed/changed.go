// Package changed is the tag +versioned:changed.
package changed

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argFromName      = tag.Arg{Name: "fromName", Kinds: []model.ValueKind{model.StringValue, model.IntValue}, Doc: "the previous JSON name of a field, value of a constant, or Go name of a type"}
	argFromGoName    = tag.Arg{Name: "fromGoName", Kinds: []model.ValueKind{model.StringValue}, Scopes: tag.OnField | tag.OnConst, Doc: "the previous Go name, if it does not follow from fromName"}
	argFromType      = tag.Arg{Name: "fromType", Kinds: []model.ValueKind{model.StringValue}, Scopes: tag.OnField, Doc: "the previous Go type"}
	argUpgradeWith   = tag.Arg{Name: "upgradeWith", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Function, Scopes: tag.OnField, Doc: "a function func(Old) New or func(Old) (New, error) of the package"}
	argDowngradeWith = tag.Arg{Name: "downgradeWith", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Function, Scopes: tag.OnField, Doc: "a function func(New) Old or func(New) (Old, error) of the package"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:changed", Meant: []string{"versioned:renamed", "versioned:retyped"}, Role: model.RoleChanged, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			tag.ArgField,
			argFromName,
			argFromGoName,
			argFromType,
			argUpgradeWith,
			argDowngradeWith,
			tag.ArgTransform,
			tag.ArgLossless.On(tag.OnField),
			tag.ArgLossy.On(tag.OnField),
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Changed{ChangeBase: tag.BaseOf(c), FromName: c.Arg(argFromName.Name), FromGoName: c.Arg(argFromGoName.Name), FromType: c.Arg(argFromType.Name), UpgradeWith: c.Arg(argUpgradeWith.Name), DowngradeWith: c.Arg(argDowngradeWith.Name), Transform: c.Arg(tag.ArgTransform.Name), Losses: tag.LossesOf(c)}
		},
		Summary: "The item's name or type changed in a version.",
		Doc: "Functions or a `transform` are needed if Go cannot convert between the types without loss. docs/concepts/versions/retype.md lists the transforms. " +
			"On an enum type, `transform: \"case(kebab)\"` means that all constants had values of another style, such as `rolling-update` for `RollingUpdate`; a marker on a constant takes precedence. " +
			"On a type, `fromName` is its Go name in older versions, which changes no JSON; kinds keep their name. Objects keep the values that a function loses. If they keep nothing, because of `store: \"none\"`, state `lossless: true`, or give the reason with `lossy`.",
		Good: tag.Code(`
			// +k8s:optional
			// +versioned:changed(since: "v1", fromName: "timeout", fromType: "string", upgradeWith: "ParseSeconds", downgradeWith: "FormatSeconds", lossless: true)
			TimeoutSeconds *int32 \'json:"timeoutSeconds,omitempty"\'`),
		Bad: tag.Code(`
			// +versioned:changed(since: "v1") // what changed? add fromName, fromType or both
			TimeoutSeconds *int32 \'json:"timeoutSeconds,omitempty"\'`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
