// Package kepmember is the tag +unionMember.
package kepmember

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoDiscriminator = codes.New("kepmember/no-discriminator", "A union of KEP-1027 has a discriminator. Add `+unionDiscriminator` to a field; for a union without one use `+k8s:unionMember`.")
	codeWhich           = codes.New("kepmember/which-discriminator", "The struct has several discriminators. Say with `+unionDiscriminatedBy` which of them selects the member.")
	codeNotAValue       = codes.New("kepmember/not-a-value", "The member's name is not a value of the discriminator's enum, so no value selects the member.")
	codeName            = codes.New("kepmember/name", "The member's name should be that of the field in JSON, apart from case, so that users can tell which field a value selects.")
	codeValueTaken      = codes.New("kepmember/value-taken", "Two members have the same value of the discriminator. Change the name of one.")
	codeIsDiscriminator = codes.New("kepmember/is-discriminator", "A field cannot be both the discriminator and a member of a union.")
	codeStructValue     = codes.New("kepmember/struct-value", "A non-pointer struct is always set. Make the member a pointer.")
	codeAlwaysSet       = codes.New("kepmember/always-set", "A string, number or bool without `omitempty` is always in JSON, so that the member is always set. Add `omitempty`, or use a pointer.")
	codeNotOptional     = codes.New("kepmember/not-optional", "At most one member is set, so all members must be optional. Add `+optional`.")
	codeDefault         = codes.New("kepmember/default", "A default would set the member regardless of the discriminator. Remove it.")
	codeTwoTexts        = codes.New("kepmember/two-texts", "A field is the member of one union, by tags of one text. Remove `+unionMember` or `+k8s:unionMember`.")
	codeCondition       = codes.New("kepmember/condition", "Members of unions of KEP-1027 have no conditions. Use `+k8s:unionMember`, which may depend on an option or a level.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "unionMember", Dir: "kepmember", Role: model.RoleKEPMember, Stability: tag.Stable, Scopes: tag.OnField, Shapes: tag.AnyShape, Comma: true,
		Args: []tag.Arg{
			{Name: "memberName", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.SelectorConst, Doc: "the discriminator's value that selects the member; by default the field's Go name"},
			{Name: "optional", Kinds: []model.ValueKind{model.BoolValue}, Doc: "the member may be unset although it is selected"},
		},
		Discriminator: model.RoleKEPDiscriminator,
		Summary:       "The field is a member of a union of KEP-1027.",
		Doc: "Write `+unionMember`, `+unionMember=Name`, `+unionMember,optional` or `+unionMember=Name,optional`. " +
			"Only the member that the discriminator selects may be set, and it must be, unless it is optional. " +
			"If an update changes the discriminator, `NormalizeUnions_<Kind>` clears the members that it no longer selects. " +
			"Errors are Required at a selected member that is not set, Forbidden at another one that is, NotSupported or Required at the discriminator, " +
			"and Invalid at the struct if several members are set and the update did not change the discriminator. " +
			"Updates that change neither the discriminator nor which members are set are not checked again, unless the struct has `+k8s:unionStrict`.",
		Good: tag.Code(`
			// +unionMember=RAM,optional
			// +optional
			Memory *Memory \'json:"ram,omitempty"\'`),
		Bad: tag.Code(`
			// +unionMember
			Size int \'json:"size"\' // always in JSON, so always set: use omitempty or *int`),
		Codes:     codes.All(),
		ErrorType: "Forbidden", Origin: "union",
		Check: check,
		Lower: tag.UnionRules("unionMember"),
	}
}

func check(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	for _, other := range n.Siblings {
		if bare, _ := other.Bare(); bare != nil && bare.Is(model.RoleUnionMember, model.RoleZeroOrOneOfMember) {
			bag.Errorf(c.Span, codeTwoTexts, "field %s also has +%s; remove one of the tags", n.Field.Name, bare.Name).Note(other.Span, "it is here")
		}
	}
	if tag.IsConditional(n, c) {
		bag.Errorf(c.Span, codeCondition, "+unionMember takes no conditions; use +k8s:unionMember in the whole union")
		return
	}
	checkField(n, c, bag)
	u, _ := tag.UnionOf(n, c)
	switch {
	case u.Discriminator == n.Field:
		bag.Errorf(c.Span, codeIsDiscriminator, "field %s is the discriminator of the union, so it cannot be a member too; remove one of the tags", n.Field.Name)
	case u.Discriminator != nil:
		tag.CheckMemberValue(codeNotAValue, n, u, c, bag)
		tag.CheckValueTaken(codeValueTaken, u, c, bag)
		tag.CheckMemberName(codeName, n, u, c, bag)
	case n.KEPDiscriminators() > 1 && model.DiscriminatedBy(n.Field) == "":
		bag.Errorf(c.Span, codeWhich, "%s has several discriminators; add +unionDiscriminatedBy=<Go name of the discriminator> to field %s", n.Owner.Name, n.Field.Name)
	case n.KEPDiscriminators() == 0:
		bag.Errorf(c.Span, codeNoDiscriminator, "no field of %s selects the members; add +unionDiscriminator to one, or use +k8s:unionMember for a union without a discriminator", n.Owner.Name)
	}
}

func checkField(n *tag.Node, c *model.Tag, bag *diag.Bag) {
	switch {
	case tag.IsStructValue(n.Model, n.Type):
		bag.Errorf(c.Span, codeStructValue, "member %s is a non-pointer struct, so it is always set; make it *%s", n.Field.Name, n.TypeName()).
			Suggest(n.Field.TypeSpan, "*"+n.Field.TypeSpan.Text(), "make the field a pointer")
		return
	case n.Model.Absent(n.Field) == model.LackNever:
		option := "omitempty"
		if tag.ShapeOf(n.Model, n.Type) == tag.Structs {
			option = "omitzero" // omitempty has no effect
		}
		bag.Errorf(n.Field.TypeSpan, codeAlwaysSet, "member %s has no %s, so it is always in JSON; add %[2]s, or make it a pointer", n.Field.Name, option)
	case n.IsMarkedRequired():
		bag.Errorf(c.Span, codeNotOptional, "member %s is required, but at most one member is set; make it +optional", n.Field.Name)
	case !n.IsMarkedOptional():
		bag.Warnf(c.Span, codeNotOptional, "member %s must be optional, since at most one member is set; add +optional", n.Field.Name)
	}
	tag.CheckMemberDefault(bag.Errorf, codeDefault, n, c)
}
