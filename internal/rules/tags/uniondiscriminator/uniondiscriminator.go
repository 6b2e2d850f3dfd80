// Package uniondiscriminator is the tag +k8s:unionDiscriminator.
package uniondiscriminator

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeTwo       = codes.New("uniondiscriminator/two", "A union has one discriminator. Remove one of the tags, or name the unions.")
	codeNoMembers = codes.New("uniondiscriminator/no-members", "No field of the struct is a member of the union. Add `+k8s:unionMember` to its members.")
	codePointer   = codes.New("uniondiscriminator/pointer", "A discriminator must be a string without a pointer: the empty string is unset.")
	codeNotEnum   = codes.New("uniondiscriminator/not-enum", "Without an enum, misspelt values are valid and select no member. Add `+k8s:enum` to the field's type.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unionDiscriminator", Role: model.RoleUnionDiscriminator, Stability: tag.Beta, Scopes: tag.OnField, Shapes: tag.Strings,
		Args:       []tag.Arg{{Name: "union", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Group, Doc: "the name of the union, if the struct has several"}},
		Repeatable: true,
		Summary:    "The field selects the member of a union.",
		Doc:        "Use an enum for its type, so that misspelt values are rejected. A value of the enum that selects no member means that no member is set.",
		Good: tag.Code(`
			// +k8s:required
			// +k8s:unionDiscriminator
			Type StorageType \'json:"type"\'`),
		Bad: tag.Code(`
			// +k8s:unionDiscriminator
			Type *StorageType \'json:"type,omitempty"\' // not a pointer: the empty string is unset`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("+k8s:unionMember checks the union"),
		Schema: tag.Elsewhere("+k8s:unionMember has the rules of the union"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	u, _ := tag.UnionOf(n, c)
	if d := u.Discriminator; d != nil && d != n.Field {
		bag.Errorf(c.Span, codeTwo, "the union has two discriminators, %s and %s; remove one, or name the unions with (union: \"…\")", d.Name, n.Field.Name).
			Note(d.Span, "first used here")
	}
	if len(u.Members) == 0 {
		bag.Warnf(c.Span, codeNoMembers, "no field of %s is a member of this union; add +k8s:unionMember to its members", n.Owner.Name)
	}
	if n.IsPointer() {
		bag.Errorf(c.Span, codePointer, "discriminator %s is a pointer; make it a plain string type, whose empty value is unset", n.Field.Name)
	}
	if tag.MarkedEnumOf(n.Model, n.Type) == nil {
		bag.Warnf(c.Span, codeNotEnum, "the type of discriminator %s is not an enum, so misspelt values are valid and select no member; add +k8s:enum to the type", n.Field.Name)
	}
}
