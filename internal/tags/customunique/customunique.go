// Package customunique is the tag +k8s:customUnique.
package customunique

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoEffect = codes.New("customunique/no-effect", "The list's items need not be unique, so there is no check to leave out. Drop the tag, or say +k8s:listType or +k8s:unique.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:customUnique", Role: model.RoleCustomUnique, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Summary: "Hand-written code sees to it that a list's items are unique.",
		Doc: "Generated Go does not check it then. What `+k8s:listType` and `+k8s:unique` say otherwise still holds: how the list is owned, and how its items are paired with what they were. " +
			"Of custom resources an API server refuses lists of type set and map with repeated items whatever the tag says.",
		Good:  "// +k8s:optional\n// +k8s:listType=map\n// +k8s:listMapKey=name\n// +k8s:customUnique\nUsers []User `json:\"users,omitempty\"`",
		Bad:   "// +k8s:listType=atomic\n// +k8s:customUnique\nUsers []User `json:\"users\"` // nothing asks for unique items",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			if n.Semantics() == "atomic" {
				bag.Warnf(c.Span, codeNoEffect, "items of %s need not be unique, so there is no check to leave out; drop the tag, or say +k8s:listType or +k8s:unique", n.Describe())
			}
		},
		Go:     tag.Elsewhere("+k8s:listType and +k8s:unique leave the check out"),
		Schema: tag.Elsewhere("+k8s:unique leaves its rule out; what +k8s:listType says of sets and maps, an API server holds custom resources to"),
	}
}
