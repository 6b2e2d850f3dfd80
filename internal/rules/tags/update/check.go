package update

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	shape, what := tag.ShapeOf(n.Model, n.Type), c.Text()
	collection := shape == tag.Lists || shape == tag.Maps
	if repeated(n, c) {
		bag.Warnf(c.Span, codeRepeated, "%s is repeated; remove one", c.Describe())
	}
	if n.Scope != tag.OnField {
		checkValue(n, c, collection, bag)
		return
	}
	switch what {
	case noModify:
		if collection {
			bag.Errorf(c.Span, codeOnCollection, "NoModify is not for lists and maps; write +k8s:eachVal=+k8s:update=NoModify to make each item immutable, or +k8s:immutable for all of %s", n.Describe())
		}
	case noAddItem, noRemoveItem:
		checkItems(n, c, shape, bag)
	default:
		if tag.IsStructValue(n.Model, n.Type) {
			bag.Errorf(c.Span, codeStructValue, "%s is a non-pointer struct, which is always set, so %s has no effect; make it a pointer, or remove the tag", n.Describe(), what)
		}
	}
}

// checkValue checks a tag on each value of a list or map.
func checkValue(n *tag.Node, c *model.Tag, collection bool, bag *diag.Bag) {
	switch {
	case c.Text() != noModify:
		bag.Errorf(c.Payload.Span, codeOnValues, "%s cannot be used on the values of a list or map; put +k8s:update=%s on the field", c.Text(), c.Text())
	case collection:
		bag.Errorf(c.Span, codeNested, "%s are lists or maps, but NoModify is only for single values; use +k8s:immutable", n.Describe())
	case uncorrelated(n):
		bag.Warnf(c.Span, codeUncorrelated, "items of this list are not correlated with old items, so NoModify has no effect; use +k8s:listType=map, or +k8s:immutable on the list").
			RestsOn(n.Parent.ListTypeOf()).Voids(diag.Meaning(c.Span))
	}
}

// checkItems checks a tag about adding or removing items.
func checkItems(n *tag.Node, c *model.Tag, shape tag.Shape, bag *diag.Bag) {
	switch {
	case shape == tag.Lists && n.Semantics() == "atomic":
		bag.Errorf(c.Span, codeNoIdentity, "items of an atomic list are not identified; use +k8s:listType=map or set, or +k8s:unique")
	case shape != tag.Maps && shape != tag.Lists:
		bag.Errorf(c.Span, codeNotACollection, "%s has no items; %s is for lists and maps", n.Describe(), c.Text())
	}
}

// repeated reports whether an earlier tag on the node is the same.
func repeated(n *tag.Node, c *model.Tag) bool {
	for _, s := range n.Siblings {
		if s == c {
			return false
		}
		if s.Name == c.Name && s.Text() == c.Text() {
			return true
		}
	}
	return false
}
