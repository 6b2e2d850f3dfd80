// Package union is the tag +union.
package union

import (
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeMembers  = codes.New("union/members", "A struct with `+union` has several members: all of its fields except the discriminator.")
	codeInline   = codes.New("union/inline", "A struct with `+union` may be inlined into another struct, but may not inline one.")
	codeDefault  = codes.New("union/default", "A default, of a member or of its type, would set the member regardless of the discriminator. Remove it.")
	codeRequired = codes.New("union/required", "At most one member is set, so all fields except the discriminator must be optional, and a pointer, map, slice, or with `omitempty`.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "union", Role: model.RoleOlderUnion, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.Structs,
		Summary: "All fields of the struct, except the `+unionDiscriminator`, are members of a union: at most one is set.",
		Doc: "This is the older text of KEP-1027, for APIs that use it; write new unions with `+unionMember`. " +
			"If a field has `+unionMember`, the union is one of the newer text, and `+union` has no effect. " +
			"The values of the discriminator are the Go names of the members. " +
			"`NormalizeUnions_<Kind>` respects a discriminator that is changed to a value; else it sets the discriminator to the only member that is set, or was added, and clears the others.",
		Good: tag.Code(`
			// +union
			type Storage struct {
				// +unionDiscriminator
				// +optional
				Type string \'json:"type,omitempty"\'
				// +optional
				Disk *Disk \'json:"disk,omitempty"\'
				// +optional
				Bucket *Bucket \'json:"bucket,omitempty"\'
			}`),
		Bad: tag.Code(`
			// +union
			type Storage struct {
				Disk Disk \'json:"disk"\' // always set: use *Disk with omitempty
			}`),
		ErrorType: "Invalid", Origin: "union",
		Codes: codes.All(),
		Check: check,
		Lower: tag.UnionRules("union"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	newer := func(f *model.Field) bool { return model.HasBare(f.Tags, model.RoleKEPMember) }
	if !n.Owner.IsStruct() || slices.ContainsFunc(n.Owner.Fields, newer) {
		return
	}
	u, _ := tag.UnionOf(n, c)
	if len(u.Members) < 2 {
		bag.Warnf(c.Span, codeMembers, "union %s has fewer than two members; add others or remove the tag", n.Owner.Name)
	}
	for _, f := range n.Owner.Fields {
		if f.Inline {
			bag.Errorf(f.Span, codeInline, "a union cannot inline a struct; move the fields of %s into %s, or remove +union", f.Name, n.Owner.Name).Note(c.Span, "the union")
		}
	}
	for _, m := range u.Members {
		field := tag.FieldNode(n.Model, n.Tags, n.Owner, m.Field)
		if n.Model.Absent(m.Field) == model.LackNever || field.IsMarkedRequired() {
			bag.Errorf(m.Field.Span, codeRequired, "member %s of union %s must be optional; use a pointer, or omitempty, with +optional", m.Field.Name, n.Owner.Name).Note(c.Span, "the union")
		}
		tag.CheckMemberDefault(bag.Errorf, codeDefault, field, c)
	}
}
