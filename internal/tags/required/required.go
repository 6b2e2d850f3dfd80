// Package required is the tag +k8s:required.
package required

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeStructValue   = codes.New("required/struct-value", "A struct that is not behind a pointer is always set, so requiring it says nothing. Make the field a pointer, or drop the tag.")
	codeWithDefault   = codes.New("required/with-default", "A field with a default is filled in before validation, so it need not be required. Drop the tag or the default.")
	codeAlsoForbidden = codes.New("required/also-forbidden", "A field cannot be required and forbidden. Keep the tag that is meant.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:required", Role: model.RoleRequired, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		OpenAPI: "required",
		Summary: "The field must be set.",
		Doc: "A field is unset when it is a nil pointer, an empty list or map, or the zero value of its type. " +
			"Where zero is a value that people may want, use a pointer. " +
			"When the field is unset none of its other rules are reported.",
		Good:      "// +k8s:required\n// +k8s:maxLength=63\nEngine string `json:\"engine\"`",
		Bad:       "// +k8s:required\nStorage Storage `json:\"storage\"` // a struct is always set: use *Storage, or drop the tag",
		ErrorType: "Required",
		Codes:     codes.All(),
		Check:     check,
		Lower: func(*tag.Node, *model.Constraint) []rule.Rule {
			return []rule.Rule{{Tag: "required", Effect: rule.Stop, Must: &rule.Required{}}}
		},
	}
}

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	if tag.ShapeOf(n.Model, n.Type) == tag.Structs && !n.IsPointer() {
		bag.Errorf(c.Span, codeStructValue, "field %s is a struct that is not behind a pointer: it is always set, so it cannot be required; make it a pointer or drop the tag", n.Field.Name)
	}
	if d := n.Field.Default; d != nil {
		bag.Warnf(c.Span, codeWithDefault, "field %s has a default, so it is never unset when it is validated; drop the tag or the default", n.Field.Name).
			Note(d.Span, "the default is here")
	}
	for _, other := range n.Siblings {
		if other.Is(model.RoleForbidden) {
			bag.Errorf(c.Span, codeAlsoForbidden, "field %s is both required and forbidden; keep one of the tags", n.Field.Name).
				Note(other.Span, "it is forbidden here")
		}
	}
}
