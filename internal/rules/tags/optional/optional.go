// Package optional is the tag +k8s:optional.
package optional

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeAndRequired    = codes.New("optional/and-required", "A field cannot be both optional and required. Keep one of the tags.")
	codeStructValue    = codes.New("optional/struct-value", "A non-pointer struct is always set, so it cannot be optional. Make the field a pointer, or remove the tag.")
	codeNeedsOmitempty = codes.New("optional/needs-omitempty", "Go writes the zero value of an unset field whose json tag has neither omitempty nor omitzero. Generated Go takes the zero value as unset, and so do `kindsmith validate` and `kindsmith test` on Go types. API servers take it as set, and refuse it because of the rule that the message names. Add omitempty to the json tag, or make the field a pointer.")
	codeAlsoForbidden  = codes.New("optional/also-forbidden", "A forbidden field is never set. Remove `+k8s:optional`.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:optional", Role: model.RoleOptional, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		OpenAPI: "optional",
		Summary: "The field may be unset; its other rules apply only if it is set.",
		Doc: "A field is unset if it is a nil pointer, an empty list or map, or the zero value of its type. " +
			"With a `+default` that is not the zero value, the field is validated as required, because defaulting runs before validation. " +
			"On a non-pointer field whose default is the zero value, the tag is only documentation.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:minimum=0
			Replicas *int32 \'json:"replicas,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:required
			Replicas *int32 \'json:"replicas,omitempty"\'`),
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	for _, other := range n.Siblings {
		switch other.Role {
		case model.RoleRequired:
			bag.Errorf(c.Span, codeAndRequired, "field %s is both optional and required; remove one of the tags", n.Field.Name).
				Note(other.Span, "required here").Voids(diag.Meaning(other.Span))
		case model.RoleForbidden:
			bag.Errorf(c.Span, codeAlsoForbidden, "field %s is forbidden, so it cannot be optional; remove one of the tags", n.Field.Name).
				Note(other.Span, "forbidden here").Voids(diag.Meaning(other.Span))
		}
	}
	checkZero(n, bag)
	if n.AlwaysSet() {
		bag.Errorf(c.Span, codeStructValue, "field %s is a non-pointer struct, which is always set, so it cannot be optional; make it a pointer or remove the tag", n.Field.Name).RestsOn(n.TypeOf())
	}
}

func rules(n *tag.Node, _ *model.Tag) []rule.Rule {
	if d := n.EffectiveDefault(); d != nil {
		if !value.IsZero(n.Model, n.Type, d) {
			return []rule.Rule{{
				Tag: "optional", Effect: rule.Stop, Must: &rule.Required{Defaulted: true}, Errors: []rule.Error{{Type: "Required"}},
			}}
		}
		if !n.IsPointer() {
			return nil
		}
	}
	return []rule.Rule{{Tag: "optional", Effect: rule.Guard, Must: &rule.IsSet{}}}
}
