// Package tracking is the tag +versioned:tracking.
package tracking

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argStore = tag.Arg{Name: "store", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "where tracked values are stored: \"status\", \"annotation\" or \"none\""}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:tracking", Role: model.RoleTracking, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			argStore,
		},
		Declares: func(c *model.Tag) any {
			return &model.Tracking{Store: c.Arg(argStore.Name).Or(""), Span: c.Span}
		},
		Summary: "Where values are stored that an older version cannot represent.",
		Doc:     "Tracking is not implemented yet: such values are lost when an object is written in an older version, and a warning reports each field that can lose values.",
		Good:    "// +versioned:tracking(store: \"status\")\npackage v1",
		Bad:     "// +versioned:tracking(store: \"configmap\") // no such store\npackage v1",
		Go:      tag.Unsupported("not implemented yet; a warning describes the effect"),
		Schema:  tag.Unsupported("not implemented yet; a warning describes the effect"),
	}
}
