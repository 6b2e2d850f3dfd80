// Package listmapkey is the tag +k8s:listMapKey.
package listmapkey

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoField    = codes.New("listmapkey/no-field", "The items have no field with this JSON name.")
	codeNotAScalar = codes.New("listmapkey/not-a-scalar", "A key is a string, an integer or a bool.")
	codeTwice      = codes.New("listmapkey/twice", "The key is repeated.")
	codeNotAMap    = codes.New("listmapkey/not-a-map", "Keys have an effect only on lists of type map. Add `+k8s:listType=map`.")
	codePointer    = codes.New("listmapkey/pointer", "The field is in a struct that the items embed by pointer, which may be nil. Embed the struct itself.")
	codeOptional   = codes.New("listmapkey/optional", "Items that omit an optional key without a default cannot be distinguished. Require the field, or give it a default.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:listMapKey", Role: model.RoleListMapKey, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Payload:    tag.Payload{Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Refers: tag.ElemField, Doc: "the JSON name of the field"},
		Repeatable: true,
		Summary:    "A field of the items is a key of the list.",
		Doc:        "Several keys together identify an item, in the order of their tags. A key should be required or have a default: items without it cannot be distinguished.",
		Good: tag.Code(`
			// +k8s:listType=map
			// +k8s:listMapKey=port
			// +k8s:listMapKey=protocol
			Ports []Port \'json:"ports,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:listType=map
			// +k8s:listMapKey=Name
			Users []User \'json:"users"\' // keys are JSON names: name`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("+k8s:listType=map identifies items by it"),
		Schema: tag.Elsewhere("+k8s:listType=map lists it in x-kubernetes-list-map-keys"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	for _, s := range model.Bare(n.Siblings) { // a type may repeat a tag of the type that it is declared from
		if s != c && s.Role == c.Role && s.Text() == c.Text() && s.Span.Start < c.Span.Start {
			bag.Warnf(c.Span, codeTwice, "key %s is repeated; remove one", c.Text())
		}
	}
	if n.Semantics() != "map" && n.ListType() != "map" {
		d := bag.Warnf(c.Span, codeNotAMap, "keys have an effect only on lists of type map; add +k8s:listType=map").Voids(n.ListTypeOf())
		for _, s := range n.Siblings {
			if s.Role == model.RoleListType {
				d.RestsOn(diag.Meaning(s.Span))
			}
		}
	}
	item := n.Model.Struct(n.Underlying().Elem)
	if item == nil {
		return // listType reports this
	}
	key := tag.FieldByJSON(n.Model, item, c.Text())
	if key == nil {
		d := bag.Errorf(c.Payload.Span, codeNoField, "items of type %s have no field with the JSON name %q; they have: %s", item.Name, c.Text(), strings.Join(names(item), ", "))
		if f := caseless(item, c.Text()); f != nil {
			d.Suggest(c.Payload.Span, f.JSON, "use the JSON name %s", f.JSON)
		}
		return
	}
	if f := pointerTo(n.Model, item, c.Text()); f != nil {
		bag.Errorf(c.Payload.Span, codePointer, "key %s is in a struct that %s embeds by pointer, so items may have no key; embed the struct itself", c.Text(), item.Name).
			Note(f.Span, "embedded here")
	}
	if shape := tag.ShapeOf(n.Model, key.Type); shape&(tag.Strings|tag.Integers|tag.Bools) == 0 {
		bag.Errorf(c.Payload.Span, codeNotAScalar, "key %s is not a string, an integer or a bool", c.Text()).
			Note(key.Span, "declared here")
		return
	}
	if model.HasBare(key.Tags, model.RoleOptional) && key.Default == nil {
		bag.Warnf(c.Payload.Span, codeOptional, "key %s is optional and has no default, so items without it cannot be distinguished; make it +k8s:required or give it a +default", c.Text()).
			Note(key.Span, "declared here")
	}
}

func names(t *model.Type) []string {
	var out []string
	for _, f := range t.Fields {
		if f.JSON != "" && !f.Skipped {
			out = append(out, f.JSON)
		}
	}
	return out
}

// caseless finds the field of a key that is written as a Go name.
func caseless(t *model.Type, name string) *model.Field {
	for _, f := range t.Fields {
		if f.JSON != "" && (f.Name == name || strings.EqualFold(f.JSON, name)) {
			return f
		}
	}
	return nil
}

// pointerTo returns the embedded pointer on the path to a field, or nil if there is none.
func pointerTo(m *model.Model, t *model.Type, name string) *model.Field {
	member := m.Object(t).Member(name)
	if member == nil {
		return nil
	}
	for _, in := range member.Through {
		if _, pointer := m.Deref(in.Type); pointer {
			return in
		}
	}
	return nil
}
