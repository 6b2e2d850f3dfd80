// Package monotonic is the tag +k8s:monotonic.
package monotonic

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:monotonic", Stability: tag.Alpha, Scopes: tag.OnType | tag.OnField, Shapes: tag.Integers,
		Summary: "An integer never decreases.",
		Doc:     "The rule compares an old and a new value: a pointer can be set and unset. An unset non-pointer field is zero; an optional one can be unset.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:monotonic
			ObservedGeneration *int64 \'json:"observedGeneration,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:monotonic
			Version string \'json:"version"\' // not an integer`),
		ErrorType: "Invalid", Origin: "monotonic",
		Lower: func(*tag.Node, *model.Tag) []rule.Rule {
			return []rule.Rule{{Tag: "monotonic", Moment: rule.OnUpdateOfValue, Must: &rule.Monotonic{}}}
		},
	}
}
