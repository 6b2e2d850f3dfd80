// Package optional is the tag +k8s:optional.
package optional

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
	"github.com/kindsmith/kindsmith/internal/value"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeAndRequired   = codes.New("optional/and-required", "A field is optional or required, never both. Keep the one that is meant.")
	codeStructValue   = codes.New("optional/struct-value", "A struct that is not behind a pointer is always there, so it cannot be left out. Make the field a pointer, or drop the tag.")
	codeAlsoForbidden = codes.New("optional/also-forbidden", "A forbidden field is never set; say only +k8s:forbidden.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:optional", Role: model.RoleOptional, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		OpenAPI: "optional",
		Summary: "The field may be left out; its other rules hold only when it is set.",
		Doc: "A field is unset when it is a nil pointer, an empty list or map, or the zero value of its type. " +
			"With a `+default` that is not the zero value the field acts as required: defaulting has run before validation, so an unset field is a mistake. " +
			"With a zero default on a field that is not a pointer the tag only documents.",
		Good:  "// +k8s:optional\n// +k8s:minimum=0\nReplicas *int32 `json:\"replicas,omitempty\"`",
		Bad:   "// +k8s:optional\n// +k8s:required\nReplicas *int32 `json:\"replicas,omitempty\"`",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	for _, other := range n.Siblings {
		switch other.Role {
		case model.RoleRequired:
			bag.Errorf(c.Span, codeAndRequired, "field %s is both optional and required; keep one of the tags", n.Field.Name).
				Note(other.Span, "it is required here")
		case model.RoleForbidden:
			bag.Errorf(c.Span, codeAlsoForbidden, "field %s is forbidden, so it cannot be optional; drop one of the tags", n.Field.Name).
				Note(other.Span, "it is forbidden here")
		}
	}
	if tag.ShapeOf(n.Model, n.Type) == tag.Structs && !n.IsPointer() && !n.Field.OmitZero {
		bag.Errorf(c.Span, codeStructValue, "field %s is a struct that is not behind a pointer: it is always set, so it cannot be optional; make it a pointer or drop the tag", n.Field.Name)
	}
}

func rules(n *tag.Node, _ *model.Constraint) []rule.Rule {
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
