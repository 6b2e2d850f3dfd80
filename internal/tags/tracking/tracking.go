// Package tracking is the tag +versioned:tracking.
package tracking

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The arguments.
var (
	argStore = tag.Arg{Name: "store", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "where tracked values are kept: \"status\", \"annotation\" or \"none\""}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:tracking", Role: model.RoleTracking, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			argStore,
		},
		Declares: func(c *model.Constraint) any {
			return &model.Tracking{Store: c.Arg(argStore.Name).Or(""), Span: c.Span}
		},
		Summary: "Where values are kept that an older version cannot hold.",
		Doc:     "Tracking is not built yet: such values are lost when an object is written in an older version, and each place where that can happen is a warning.",
		Good:    "// +versioned:tracking(store: \"status\")\npackage v1",
		Bad:     "// +versioned:tracking(store: \"configmap\") // no such store\npackage v1",
		Go:      tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:  tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
