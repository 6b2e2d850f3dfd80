// Package allowunsorted is the tag +versioned:allowUnsorted.
package allowunsorted

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:allowUnsorted", Role: model.RoleAllowUnsorted, Stability: tag.Stable, Scopes: tag.OnPackage, Shapes: tag.AnyShape,
		Summary: "Versions are declared in the order of their releases, whatever their names.",
		Doc:     "Without it, versions must be in the order of Kubernetes versions, oldest first.",
		Good: tag.Code(`
			// +versioned:allowUnsorted
			// +versioned:version(name: "v2alpha1")
			// +versioned:version(name: "v1")
			package v1`),
		Bad: tag.Code(`
			// +versioned:allowUnsorted
			type Database struct{} // belongs above the package clause`),
		Go:     tag.Elsewhere("selects what is generated, not what it checks"),
		Schema: tag.Elsewhere("selects what is generated, not what it checks"),
	}
}
