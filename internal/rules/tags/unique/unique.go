// Package unique is the tag +k8s:unique.
package unique

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeRedundant  = codes.New("unique/redundant", "Items of lists of type set and map are already unique. Remove the tag, or make the list atomic.")
	codeNoKey      = codes.New("unique/no-key", "`+k8s:unique=map` needs at least one `+k8s:listMapKey`.")
	codeNotStructs = codes.New("unique/not-structs", "For `+k8s:unique=map`, items must be structs, whose fields are the keys. For scalars use set.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unique", Role: model.RoleUnique, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Payload: tag.Payload{
			Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Values: []string{"map", "set"},
			Doc: "`set`: no two items are equal. `map`: no two items have the same `+k8s:listMapKey` fields.",
		},
		Summary: "The items of an atomic list are unique.",
		Doc: "For lists that server-side apply replaces as a whole. Lists of type set and map (`+k8s:listType`) are already unique. " +
			"A duplicate item is reported at its index; the CEL rule of the schema reports the list. The CEL rule compares all pairs of items, so it is published only for lists with `+k8s:maxItems`.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:listType=atomic
			// +k8s:unique=set
			// +k8s:maxItems=16
			// +k8s:eachVal=+k8s:maxLength=63
			SearchDomains []string \'json:"searchDomains,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:listType=set
			// +k8s:unique=set
			SearchDomains []string \'json:"searchDomains"\' // a set is already unique`),
		ErrorType: "Duplicate",
		Codes:     codes.All(),
		Check:     check,
		Lower: func(n *tag.Node, c *model.Tag) []rule.Rule {
			kind := c.Text()
			return []rule.Rule{{Tag: "unique", Must: &rule.Unique{By: rule.Semantics(kind), Keys: tag.ListKeys(n, kind), Unchecked: tag.Unchecked(n, kind)}, Errors: tag.Duplicates}}
		},
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	keys := false
	for _, s := range model.Bare(n.AllTags()) {
		switch {
		case s.Is(model.RoleListMapKey):
			keys = true
		case s.Is(model.RoleListType) && (s.Text() == "set" || s.Text() == "map"):
			bag.Errorf(c.Span, codeRedundant, "items of a list of type %s are already unique; remove this tag, or make the list +k8s:listType=atomic", s.Text()).
				Note(s.Span, "the list's type is here")
			return
		}
	}
	if c.Text() != "map" {
		return
	}
	switch {
	case n.Model.Struct(n.Underlying().Elem) == nil:
		bag.Errorf(c.Payload.Span, codeNotStructs, "items of %s are not structs, so they have no key fields; use +k8s:unique=set", n.Describe())
	case !keys:
		bag.Errorf(c.Span, codeNoKey, "+k8s:unique=map needs keys; add +k8s:listMapKey=<JSON name of the field that identifies items>")
	}
}
