// Package unique is the tag +k8s:unique.
package unique

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeRedundant  = codes.New("unique/redundant", "Items of lists of type set and map are unique already. Drop the tag, or make the list atomic.")
	codeNoKey      = codes.New("unique/no-key", "Items that are told apart by keys need at least one +k8s:listMapKey.")
	codeNotStructs = codes.New("unique/not-structs", "Items that are told apart by keys must be structs: their fields are the keys. For scalars use set.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unique", Role: model.RoleUnique, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Payload: tag.Payload{
			Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Values: []string{"map", "set"},
			Doc: "`set`: no two items are equal. `map`: no two items have the same `+k8s:listMapKey` fields.",
		},
		Summary: "The items of a list that is owned as one value are unique.",
		Doc: "For atomic lists: server-side apply replaces them as a whole, and still no item may repeat another. Lists that are merged item by item are unique by `+k8s:listType=set` or `map` already. " +
			"An item that repeats an earlier one is reported at its index; the schema's rule reports the list. The rule compares all items with each other, so it is published only for lists with `+k8s:maxItems`.",
		Good:      "// +k8s:optional\n// +k8s:listType=atomic\n// +k8s:unique=set\n// +k8s:maxItems=16\n// +k8s:eachVal=+k8s:maxLength=63\nSearchDomains []string `json:\"searchDomains,omitempty\"`",
		Bad:       "// +k8s:listType=set\n// +k8s:unique=set\nSearchDomains []string `json:\"searchDomains\"` // a set is unique already",
		ErrorType: "Duplicate",
		Codes:     codes.All(),
		Check:     check,
		Lower: func(n *tag.Node, c *model.Constraint) []rule.Rule {
			kind := c.Text()
			return []rule.Rule{{Tag: "unique", Must: &rule.Unique{By: rule.Semantics(kind), Keys: tag.ListKeys(n, kind), Unchecked: tag.Unchecked(n, kind)}, Errors: tag.Duplicates}}
		},
	}
}

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	keys := false
	for _, s := range model.Bare(n.AllConstraints()) {
		switch {
		case s.Is(model.RoleListMapKey):
			keys = true
		case s.Is(model.RoleListType) && (s.Text() == "set" || s.Text() == "map"):
			bag.Errorf(c.Span, codeRedundant, "items of a list of type %s are unique already; drop this tag, or make the list +k8s:listType=atomic", s.Text()).
				Note(s.Span, "the list's type is here")
			return
		}
	}
	if c.Text() != "map" {
		return
	}
	switch {
	case n.Model.Struct(n.Underlying().Elem) == nil:
		bag.Errorf(c.Payload.Span, codeNotStructs, "items of %s are not structs, so they have no fields to be keys; use +k8s:unique=set", n.Describe())
	case !keys:
		bag.Errorf(c.Span, codeNoKey, "items that are told apart by keys need them; add +k8s:listMapKey=<json name of the field that tells items apart>")
	}
}
