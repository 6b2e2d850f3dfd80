// Package uniondiscriminator is the tag +k8s:unionDiscriminator.
package uniondiscriminator

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeTwo       = codes.New("uniondiscriminator/two", "A union has one discriminator. Drop one of the tags, or give the unions names.")
	codeNoMembers = codes.New("uniondiscriminator/no-members", "No field of the struct is a member of the union. Tag its members +k8s:unionMember.")
	codePointer   = codes.New("uniondiscriminator/pointer", "A discriminator is a string, not a pointer to one: the empty string is unset.")
	codeNotEnum   = codes.New("uniondiscriminator/not-enum", "Without an enum a misspelt value selects nothing and is accepted. Tag the field's type +k8s:enum.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unionDiscriminator", Role: model.RoleUnionDiscriminator, Stability: tag.Beta, Scopes: tag.OnField, Shapes: tag.Strings,
		Args:       []tag.Arg{{Name: "union", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Group, Doc: "the union's name, where a struct has several"}},
		Repeatable: true,
		Summary:    "The field says which member of a union is set.",
		Doc:        "Make its type an enum: a value that is no member's and not in the enum is then reported by the enum. A value of the enum that names no member means that no member is set.",
		Good:       "// +k8s:required\n// +k8s:unionDiscriminator\nType StorageType `json:\"type\"`",
		Bad:        "// +k8s:unionDiscriminator\nType *StorageType `json:\"type,omitempty\"` // use a value: the empty string is unset",
		Codes:      codes.All(),
		Check:      check,
		Go:         tag.Elsewhere("+k8s:unionMember checks the union"),
		Schema:     tag.Elsewhere("+k8s:unionMember says the union's rules"),
	}
}

func check(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
	u, _ := tag.UnionOf(n, c)
	if d := u.Discriminator; d != nil && d != n.Field {
		bag.Errorf(c.Span, codeTwo, "the union has two discriminators, %s and %s; drop one, or name the unions with (union: \"…\")", d.Name, n.Field.Name).
			Note(d.Span, "the first is here")
	}
	if len(u.Members) == 0 {
		bag.Warnf(c.Span, codeNoMembers, "no field of %s is a member of this union; tag its members +k8s:unionMember", n.Owner.Name)
	}
	if n.IsPointer() {
		bag.Errorf(c.Span, codePointer, "discriminator %s is a pointer; make it a plain string type, whose empty value is unset", n.Field.Name)
	}
	if tag.EnumOf(n.Model, n.Type) == nil {
		bag.Warnf(c.Span, codeNotEnum, "the type of discriminator %s is not an enum, so a misspelt value is accepted and selects nothing; tag the type +k8s:enum", n.Field.Name)
	}
}
