// Package immutable is the tag +k8s:immutable.
package immutable

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeUncorrelated = codes.New("immutable/uncorrelated", "Items of an atomic list are not correlated with old items, so every update would count as a change. Put the tag on the list, or use a list of type map or set.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:immutable", Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnValue | tag.OnMapValue, Shapes: tag.AnyShape,
		Summary: "The value cannot be changed once the object exists.",
		Doc: "Setting an unset field and unsetting a set field are changes, unless the enclosing struct is set or unset too. " +
			"Values are compared semantically: nil and empty lists and maps are equal, and quantities and times are compared by value. " +
			"On list values (`+k8s:eachVal=+k8s:immutable`) a new item counts as changed, " +
			"also with a subfield (`+k8s:eachVal=+k8s:subfield(name)=+k8s:immutable`): items cannot be added.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:immutable
			Engine Engine \'json:"engine"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:listType=atomic
			// +k8s:eachVal=+k8s:immutable
			Peers []Peer \'json:"peers,omitempty"\' // items of an atomic list are not correlated: make the list itself immutable`),
		ErrorType: "Invalid", Origin: "immutable",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			if n.Scope == tag.OnValue && n.Parent != nil && n.Parent.Semantics() == "atomic" {
				bag.Warnf(c.Span, codeUncorrelated, "items of an atomic list are not correlated with old items, so any update of the list would be rejected; put +k8s:immutable on the list, or use +k8s:listType=map or set").
					RestsOn(n.Parent.ListTypeOf()).Voids(diag.Meaning(c.Span))
			}
		},
		Lower: rules,
	}
}

func rules(n *tag.Node, _ *model.Tag) []rule.Rule {
	r := rule.Rule{Tag: "immutable", Effect: rule.Stop, Must: &rule.Immutable{}}
	if n.Scope == tag.OnField && !n.IsPart() {
		// A field of a new struct has not changed. A subfield changes with the enclosing value.
		r.Moment = rule.OnUpdate
	}
	return []rule.Rule{r}
}
