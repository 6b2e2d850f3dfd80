// Package tracking is the tag +versioned:tracking.
package tracking

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argStore = tag.Arg{Name: "store", Kinds: []model.ValueKind{model.StringValue}, Required: true, Values: []string{model.StatusStore, model.AnnotationStore, model.NoStore}, Doc: "where tracked values are stored"}
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
		Doc: "A conversion stores the values that the other version cannot represent, and the conversion back restores them. The stores are " +
			"`status`: the field `status.changedValues`, for kinds whose status is a subresource; " +
			"`annotation`: the annotation `versioned.<group>/changed-values`; and `none`. " +
			"Without the tag, a kind uses its status if it has the field, and if the stored newest version can represent all values of older ones; all others use the annotation.",
		Good: tag.Code(`
			// +versioned:tracking(store: "status")
			package v1`),
		Bad: tag.Code(`
			// +versioned:tracking(store: "configmap") // no such store
			package v1`),
		Go:     tag.Elsewhere("the conversion emitter"),
		Schema: tag.Elsewhere("the field is part of the status"),
	}
}
