// Package customunique is the tag +k8s:customUnique.
package customunique

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoEffect = codes.New("customunique/no-effect", "The items of the list need not be unique, so there is no check to omit. Remove the tag, or add `+k8s:listType` or `+k8s:unique`.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:customUnique", Role: model.RoleCustomUnique, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Summary: "Hand-written code checks that the items of a list are unique.",
		Doc: "Generated Go omits the check. The other effects of `+k8s:listType` and `+k8s:unique` remain: how the list is owned, and how its items are correlated with the old items. " +
			"For custom resources, API servers reject lists of type set and map with duplicate items even with this tag.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:listType=map
			// +k8s:listMapKey=name
			// +k8s:customUnique
			Users []User \'json:"users,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:listType=atomic
			// +k8s:customUnique
			Users []User \'json:"users"\' // no tag requires unique items`),
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if n.Semantics() == "atomic" {
				bag.Warnf(c.Span, codeNoEffect, "items of %s need not be unique, so there is no check to omit; remove the tag, or add +k8s:listType or +k8s:unique", n.Describe())
			}
		},
		Go:     tag.Elsewhere("+k8s:listType and +k8s:unique omit the check"),
		Schema: tag.Elsewhere("+k8s:unique omits its rule; API servers still enforce +k8s:listType on custom resources"),
	}
}
