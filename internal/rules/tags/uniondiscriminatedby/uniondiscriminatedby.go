// Package uniondiscriminatedby is the tag +unionDiscriminatedBy.
package uniondiscriminatedby

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoDiscriminator = codes.New("uniondiscriminatedby/no-discriminator", "The tag names a discriminator of the struct by the Go name of its field, which has `+unionDiscriminator`.")
	codeNoMember        = codes.New("uniondiscriminatedby/no-member", "The tag is for members of unions. Add `+unionMember`, or remove the tag.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "unionDiscriminatedBy", Role: model.RoleDiscriminatedBy, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Payload: tag.Payload{Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Doc: "the Go name of the discriminator's field"},
		Summary: "Names the discriminator of a `+unionMember`, in a struct with several.",
		Doc:     "With one discriminator, the tag is optional.",
		Good: tag.Code(`
			// +unionMember
			// +unionDiscriminatedBy=SourceType
			// +optional
			Git *Git \'json:"git,omitempty"\'`),
		Bad: tag.Code(`
			// +unionMember
			// +unionDiscriminatedBy=sourceType
			Git *Git \'json:"git,omitempty"\' // not the Go name`),
		Codes:  codes.All(),
		Check:  check,
		Go:     tag.Elsewhere("+unionMember checks the union"),
		Schema: tag.Elsewhere("+unionMember has the rules of the union"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	if !n.HasBare(model.RoleKEPMember) {
		bag.Errorf(c.Span, codeNoMember, "field %s is no member of a union; add +unionMember, or remove the tag", n.Field.Name)
		return
	}
	var names []string
	for _, f := range n.Owner.Fields {
		if model.HasBare(f.Tags, model.RoleKEPDiscriminator) {
			if f.Name == c.Text() {
				return
			}
			names = append(names, f.Name)
		}
	}
	if len(names) == 0 {
		return // +unionMember reports it
	}
	d := bag.Errorf(c.Payload.Span, codeNoDiscriminator, "%s is not the Go name of a discriminator of %s; use one of: %s", c.Text(), n.Owner.Name, strings.Join(names, ", "))
	for _, name := range names {
		if strings.EqualFold(name, c.Text()) {
			d.Suggest(c.Payload.Span, name, "write %s", name)
		}
	}
}
