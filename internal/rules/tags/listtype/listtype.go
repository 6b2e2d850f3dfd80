// Package listtype is the tag +k8s:listType.
package listtype

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoKey         = codes.New("listtype/no-key", "A list of type map needs at least one +k8s:listMapKey.")
	codeNotStructs    = codes.New("listtype/not-structs", "Items of a list of type map must be structs, whose fields are the keys. For scalars use set.")
	codeSetOfPointers = codes.New("listtype/set-of-pointers", "Items of a set are compared by the values that they point to, and nil items are rejected. Use a list of values.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:listType", Role: model.RoleListType, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Payload: tag.Payload{
			Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Values: []string{"atomic", "map", "set"},
			Doc: "`atomic`: the list is one value. `set`: items are unique. `map`: items are unique by their `+k8s:listMapKey` fields.",
		},
		Summary: "How the items of a list are identified, owned, and correlated with old items.",
		Doc:     "Items of sets and maps must be unique: a duplicate is reported at its index. Server-side apply merges them item by item. On an update, items of a map are correlated by key and items of a set by value, so unchanged items are not checked again; atomic lists are checked as a whole.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:listType=map
			// +k8s:listMapKey=name
			Users []User \'json:"users,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:listType=map
			Users []User \'json:"users"\' // which field is the key? add +k8s:listMapKey=name`),
		ErrorType: "Duplicate",
		Codes:     codes.All(),
		Check:     check,
		Lower: func(n *tag.Node, c *model.Tag) []rule.Rule {
			kind := c.Text()
			return []rule.Rule{{Tag: "listType", Must: &rule.ListType{Type: rule.Semantics(kind), Keys: tag.ListKeys(n, kind), Unchecked: tag.Unchecked(n, kind)}, Errors: tag.Duplicates}}
		},
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	elem := n.Underlying().Elem
	switch c.Text() {
	case "map":
		if n.Model.Struct(elem) == nil {
			bag.Errorf(c.Payload.Span, codeNotStructs, "items of %s are not structs, so they have no key fields; use +k8s:listType=set or atomic", n.Describe())
			return
		}
		for _, s := range model.Bare(n.AllTags()) {
			if s.Is(model.RoleListMapKey) {
				return
			}
		}
		bag.Errorf(c.Span, codeNoKey, "a list of type map needs keys; add +k8s:listMapKey=<JSON name of the field that identifies items>")
	case "set":
		if _, pointer := n.Model.Deref(elem); pointer {
			bag.Warnf(c.Payload.Span, codeSetOfPointers, "the items of the set are pointers, and nil items are rejected; use a list of values")
		}
	}
}
