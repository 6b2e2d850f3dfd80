// Package restore is the tag +versioned:restore.
package restore

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argAnnotation = tag.Arg{Name: "annotation", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the key of the annotation"}
	argVersion    = tag.Arg{Name: "version", Kinds: []model.ValueKind{model.StringValue}, Required: true, Refers: tag.Version, Doc: "the version of a stored object without an `apiVersion`"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:restore", Role: model.RoleRestore, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape, Repeatable: true,
		Args: []tag.Arg{
			argAnnotation,
			argVersion,
		},
		Declares: func(c *model.Tag) any {
			return &model.Restore{Annotation: c.Arg(argAnnotation.Name).Or(""), Version: c.Arg(argVersion.Name).Or(""), Span: c.Span}
		},
		Summary: "An annotation in which hand-written conversions have stored objects.",
		Doc: "Cluster API's `MarshalData`, and functions like it, store the JSON of the whole object in an annotation when they convert it to another version, and restore from it what that version cannot represent. " +
			"With this tag the generated conversion reads the annotation once: it restores the values that it would have stored itself, and removes the annotation. A value that was edited since is not replaced. " +
			"Without the tag the annotation has no effect, so the stored values are lost. `kindsmith adopt` proposes the tag.",
		Good: tag.Code(`
			// +versioned:restore(annotation: "cluster.x-k8s.io/conversion-data", version: "v1")
			package v1`),
		Bad: tag.Code(`
			// +versioned:restore(annotation: "cluster.x-k8s.io/conversion-data") // of which version are the objects?
			package v1`),
		Go:     tag.Elsewhere("the conversion emitter"),
		Schema: tag.Elsewhere("annotations are not in the schema"),
	}
}
