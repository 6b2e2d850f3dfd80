package emit

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Ours reports whether the package is one that the author of this API can change.
func (c *Context) Ours(path string) bool {
	p := c.Model.Package(path)
	return p != nil && (p.Root || p.Generated || p.Module == c.Package.Module)
}

// ProjectionOf returns which rules under conditions of a package's types are published. Levels of
// others' types are about the API servers that have these types built in: their authors say with
// them how far they have come.
func (c *Context) ProjectionOf(pkg string) rule.Projection {
	p := c.Options.Projection
	if !c.Ours(pkg) {
		p.Level = rule.Stable
	}
	return p
}

// Held returns those of the tags in a package that are published, without their conditions.
func (c *Context) Held(pkg string, list []*model.Tag) []*model.Tag {
	return tag.Held(c.ProjectionOf(pkg), list)
}
