// Package wrapped is the tag +versioned:wrapped.
package wrapped

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:wrapped", Role: model.RoleWrapped, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
		},
		Declares: func(c *model.Tag) any {
			return &model.Wrapped{ChangeBase: tag.BaseOf(c)}
		},
		Summary: "A single value became a list in a version.",
		Doc:     "Not implemented yet: older versions have the list, and a warning reports this.",
		Good:    "// +versioned:wrapped(since: \"v1\")\nHosts []string `json:\"hosts\"`",
		Bad:     "// +versioned:wrapped(since: \"v1\")\nHost string `json:\"host\"` // not a list",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
