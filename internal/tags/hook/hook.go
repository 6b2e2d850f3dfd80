// Package hook is the tag +versioned:hook.
package hook

import (
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:hook", Role: model.RoleHook, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "since", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the version in which it happened"},
			{Name: "upgrade", Kinds: []model.ValueKind{model.StringValue}, Doc: "a function called after the generated upgrade"},
			{Name: "downgrade", Kinds: []model.ValueKind{model.StringValue}, Doc: "a function called after the generated downgrade"},
		},
		Repeatable: true,
		Summary:    "A function that is called after the generated conversion of one step.",
		Doc:        "Not built yet: the functions are not called, and a warning says so.",
		Good:       "// +versioned:hook(since: \"v1\", upgrade: \"SplitAddress\", downgrade: \"JoinAddress\")\ntype DatabaseSpec struct{}",
		Bad:        "// +versioned:hook(since: \"v1\") // which function? say upgrade, downgrade or both\ntype DatabaseSpec struct{}",
		Go:         tag.Unsupported("not built yet; a warning says what happens meanwhile"),
		Schema:     tag.Unsupported("not built yet; a warning says what happens meanwhile"),
	}
}
