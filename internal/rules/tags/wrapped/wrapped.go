// Package wrapped is the tag +versioned:wrapped.
package wrapped

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argFromName = tag.Arg{Name: "fromName", Kinds: []model.ValueKind{model.StringValue}, Doc: "the previous name"}
	argFromType = tag.Arg{Name: "fromType", Kinds: []model.ValueKind{model.StringValue}, Doc: "the previous Go type, if it is not that of the items: a pointer to it, or, with a transform, another"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:wrapped", Role: model.RoleWrapped, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			tag.ArgField,
			argFromName,
			argFromType,
			tag.ArgTransform,
			tag.ArgLossy,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Changed{ChangeBase: tag.BaseOf(c), Wraps: true, FromName: c.Arg(argFromName.Name), FromType: c.Arg(argFromType.Name), Transform: c.Arg(tag.ArgTransform.Name), Losses: tag.LossesOf(c)}
		},
		Summary: "A single value became a list in a version.",
		Doc: "Older versions have the single value. It converts to a list of one item, and back to the value of the first item. " +
			"An empty list is an absent value. Tags on the items, such as `+k8s:eachVal=+k8s:maxLength=63`, apply to the single value; tags that are only for lists do not. " +
			"A `transform` converts between a single value of another type, `fromType`, and the items: `fromType: \"string\", transform: \"field(name)\"`.",
		Good: tag.Code(`
			// +versioned:wrapped(since: "v1", fromName: "host", lossy: "older clients use one host")
			Hosts []string \'json:"hosts,omitempty"\'`),
		Bad: tag.Code(`
			// +versioned:wrapped(since: "v1")
			Host string \'json:"host"\' // not a list`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
