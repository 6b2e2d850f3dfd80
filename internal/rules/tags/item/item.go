// Package item is the tag +k8s:item.
package item

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoKeys     = codes.New("item/no-keys", "The items of the list have no keys. Use `+k8s:listType=map` with `+k8s:listMapKey`.")
	codeMissingKey = codes.New("item/missing-key", "An item is identified by all keys of the list. Add a value for each key.")
	codeNotAKey    = codes.New("item/not-a-key", "The argument is not the JSON name of a key of the list.")
	codeWrongKind  = codes.New("item/wrong-kind", "The value does not have the type of the key.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:item", Role: model.RoleItem, Stability: tag.Stable, Scopes: tag.Anywhere &^ tag.OnKey, Shapes: tag.Lists,
		Args: []tag.Arg{{
			Name:       tag.AnyName,
			Kinds:      []model.ValueKind{model.StringValue, model.IntValue, model.BoolValue, model.IdentValue},
			NameRefers: tag.ElemField, Refers: tag.NamedConst,
			Doc: "the JSON name of a list map key, with the value that selects the item; all keys are required",
		}},
		Payload:    tag.Payload{Tag: true, Applies: model.AtItem, Doc: "the tag for the item"},
		Repeatable: true,
		Summary:    "A tag applies to the list item with certain keys.",
		Doc: "For lists whose items have keys (`+k8s:listType=map` or `+k8s:unique=map`). If the list has no such item, the tag does not apply. " +
			"On an update, the item is compared with the old item with the same keys.\n\n" +
			"Items can be the members of a union: `+k8s:item(type: \"Succeeded\")=+k8s:zeroOrOneOfMember`.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:listType=map
			// +k8s:listMapKey=type
			// +k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
			// +k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
			Conditions []Condition \'json:"conditions,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:listType=map
			// +k8s:listMapKey=name
			// +k8s:listMapKey=protocol
			// +k8s:item(name: "web")=+k8s:immutable
			Ports []Port \'json:"ports,omitempty"\' // which protocol? all keys are required`),
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

// rules returns the item's own rules, and the rules that relate items as rules of the list.
func rules(n *tag.Node, c *model.Tag) []rule.Rule {
	inner := n.Inner(c)
	if inner == nil {
		return nil
	}
	own, out := tag.Lifted(tag.Rules(inner, c.Inner))
	if len(own) > 0 {
		item := &rule.Item{Keys: inner.KeyValues(), Place: inner.Place(), Rules: own}
		out = append(out, rule.Rule{Tag: "item", Cohort: selector(item.Keys), Must: item})
	}
	return out
}

// selector returns the cohort name of an item.
func selector(keys []rule.KeyValue) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = k.Key.JSON + ": " + tag.Quote(k.Value.Text)
	}
	return strings.Join(parts, ", ")
}
