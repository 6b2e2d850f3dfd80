// Package required is the tag +k8s:required.
package required

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeStructValue   = codes.New("required/struct-value", "A non-pointer struct is always set, so requiring it has no effect. Make the field a pointer, or remove the tag.")
	codeWithDefault   = codes.New("required/with-default", "Defaults are set before validation, so a field with a default is never unset. Remove the tag or the default.")
	codeAlsoForbidden = codes.New("required/also-forbidden", "A field cannot be both required and forbidden. Remove one of the tags.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:required", Role: model.RoleRequired, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		OpenAPI: "required",
		Summary: "The field must be set.",
		Doc: "A field is unset if it is a nil pointer, an empty list or map, or the zero value of its type. " +
			"If zero is a valid value, use a pointer. " +
			"If the field is unset, its other rules do not apply. " +
			"The discriminator of a union may be empty if the empty string is a value of its enum.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:maxLength=63
			Engine string \'json:"engine"\'`),
		Bad: tag.Code(`
			// +k8s:required
			Storage Storage \'json:"storage"\' // a struct is always set: use *Storage, or remove the tag`),
		ErrorType: "Required",
		Codes:     codes.All(),
		Check:     check,
		Lower: func(n *tag.Node, _ *model.Tag) []rule.Rule {
			if tag.AllowsEmpty(n.Model, n.Field) {
				return nil
			}
			return []rule.Rule{{Tag: "required", Effect: rule.Stop, Must: &rule.Required{}}}
		},
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if n.AlwaysSet() {
		bag.Errorf(c.Span, codeStructValue, "field %s is a non-pointer struct, which is always set, so it cannot be required; make it a pointer or remove the tag", n.Field.Name).RestsOn(n.TypeOf())
	}
	if d := n.Field.Default; d != nil {
		bag.Warnf(c.Span, codeWithDefault, "field %s has a default, so it is never unset when it is validated; remove the tag or the default", n.Field.Name).
			Note(d.Span, "the default")
	}
	for _, other := range n.Siblings {
		if other.Is(model.RoleForbidden) {
			bag.Errorf(c.Span, codeAlsoForbidden, "field %s is both required and forbidden; remove one of the tags", n.Field.Name).
				Note(other.Span, "forbidden here").Voids(diag.Meaning(other.Span))
		}
	}
}
