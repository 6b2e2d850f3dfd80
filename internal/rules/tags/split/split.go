// Package split is the tag +versioned:split.
package split

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argName  = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the JSON name of the string"}
	argParts = tag.Arg{Name: "parts", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "what the string consists of: texts, {fields} by their JSON names, and [optional parts]"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:split", Meant: []string{"versioned:joined", "versioned:join"}, Role: model.RoleSplit, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argName,
			argParts,
			tag.ArgLossy,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Hook{ChangeBase: tag.BaseOf(c), Split: &model.Split{Name: c.Arg(argName.Name), Parts: c.Arg(argParts.Name)}, Losses: tag.LossesOf(c)}
		},
		Summary: "A string became several fields in a version, or several fields became one string.",
		Doc: "The struct has either the string or the parts, and older versions have the other: with the fields of `parts`, the string is a removed field, and the parts are added; with the string, it is added, and the parts are removed fields. " +
			"Neither needs another marker, except for removed fields that are no strings. Parts are strings, integers and bools. " +
			"Brackets enclose what may be absent: `parts: \"[{registry}/]{name}[:{tag}]\"`. A string without the parts leaves them absent, and is tracked.",
		Good: tag.Code(`
			// +versioned:split(since: "v1", name: "address", parts: "{host}[:{port}]")
			type Endpoint struct{}`),
		Bad: tag.Code(`
			// +versioned:split(since: "v1", name: "address") // into what? add parts
			type Endpoint struct{}`),
		Go:     tag.Elsewhere("the conversion emitter"),
		Schema: tag.Elsewhere("the conversion emitter"),
	}
}
