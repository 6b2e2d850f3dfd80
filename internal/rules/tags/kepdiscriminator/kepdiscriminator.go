// Package kepdiscriminator is the tag +unionDiscriminator.
package kepdiscriminator

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeTwo       = codes.New("kepdiscriminator/two", "A struct with `+union` or `+unionDeprecated` has one discriminator. Remove one of the tags.")
	codeNoMembers = codes.New("kepdiscriminator/no-members", "No field is a member of the union, so the tag has no effect. Add `+unionMember` to its members.")
	codePointer   = codes.New("kepdiscriminator/pointer", "A discriminator must be a string without a pointer: the empty string is unset.")
	codeNotEnum   = codes.New("kepdiscriminator/not-enum", "The values of the discriminator must be the constants of a string type with `+enum`: they say which values select a member, and which none.")
	codePresence  = codes.New("kepdiscriminator/presence", "A discriminator must be required, or have a default, or its enum must have the empty string, which then selects no member.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "unionDiscriminator", Dir: "kepdiscriminator", Role: model.RoleKEPDiscriminator, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.Strings,
		Summary: "The field selects the member of a union of KEP-1027.",
		Doc: "The type is a string type with `+enum`. Values without a member select none. " +
			"The field is required, or has a default; or its enum has the empty string, and the field is optional with `omitempty`. " +
			"In a struct with `+union` or `+unionDeprecated`, the field has the values of the older text: the Go names of the members.",
		Good: tag.Code(`
			// +unionDiscriminator
			// +required
			Type StorageType \'json:"type"\'`),
		Bad: tag.Code(`
			// +unionDiscriminator
			// +required
			Type string \'json:"type"\' // a misspelt value selects nothing: use a type with +enum`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("the members' tags check the union"),
		Schema: tag.Elsewhere("the members' tags have the rules of the union"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	u, _ := tag.UnionOf(n, c)
	if d := u.Discriminator; d != nil && d != n.Field {
		bag.Errorf(c.Span, codeTwo, "the union has two discriminators, %s and %s; remove one", d.Name, n.Field.Name).
			Note(d.Span, "first used here")
	}
	if len(u.Members) == 0 {
		bag.Warnf(c.Span, codeNoMembers, "no field of %s is a member of this union; add +unionMember to its members", n.Owner.Name)
	}
	if n.IsPointer() {
		bag.Errorf(c.Span, codePointer, "discriminator %s is a pointer; make it a plain string type, whose empty value is unset", n.Field.Name)
		return
	}
	if u.IsOlder() || len(u.Members) == 0 {
		return // any string
	}
	values := u.Values(n)
	switch {
	case values == nil:
		bag.Errorf(n.Field.TypeSpan, codeNotEnum, "the type of discriminator %s is not an enum; declare a string type with +enum and a constant for each value", n.Field.Name)
	case !n.AlwaysInJSON() && n.EffectiveDefault() == nil && !tag.HasEmpty(values):
		bag.Errorf(c.Span, codePresence, "discriminator %s can be unset, but its enum does not have the empty string; make it +required, give it a +default, or declare a constant \"\" that selects no member", n.Field.Name)
	}
}
