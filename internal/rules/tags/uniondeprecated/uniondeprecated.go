// Package uniondeprecated is the tag +unionDeprecated.
package uniondeprecated

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeDefault = codes.New("uniondeprecated/default", "A default, of the member or of its type, would set it regardless of the discriminator. Remove it.")
	codeOnlyOne = codes.New("uniondeprecated/only-one", "A union needs several members. Add the others, or remove the tag.")
	codePointer = codes.New("uniondeprecated/pointer", "A member with `+unionDeprecated` must be an optional pointer, map or slice with `omitempty`.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "unionDeprecated", Role: model.RoleOlderMember, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Summary: "The field is a member of a union of the older text of KEP-1027, in a struct that also has other fields.",
		Doc: "At most one member is set. A `+unionDiscriminator` of the struct selects it by its Go name. " +
			"For normalisation see `+union`. Write new unions with `+unionMember`.",
		Good: tag.Code(`
			// +unionDeprecated
			// +optional
			Value *string \'json:"value,omitempty"\'
			// +unionDeprecated
			// +optional
			ValueFrom *Source \'json:"valueFrom,omitempty"\'`),
		Bad: tag.Code(`
			// +unionDeprecated
			Value string \'json:"value"\' // always set: use *string with omitempty`),
		ErrorType: "Invalid", Origin: "union",
		Codes: codes.All(),
		Check: check,
		Lower: tag.UnionRules("unionDeprecated"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if u, first := tag.UnionOf(n, c); first && len(u.Members) == 1 {
		bag.Warnf(c.Span, codeOnlyOne, "the union has only one member, %s; add others or remove the tag", n.Field.Name)
	}
	if !n.CanBeNil() || !n.Field.OmitEmpty || n.IsMarkedRequired() {
		bag.Errorf(c.Span, codePointer, "member %s must be an optional pointer with omitempty", n.Field.Name)
	}
	tag.CheckMemberDefault(bag.Errorf, codeDefault, n, c)
}
