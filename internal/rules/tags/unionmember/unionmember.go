// Package unionmember is the tag +k8s:unionMember.
package unionmember

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeStructValue     = codes.New("unionmember/struct-value", "A non-pointer struct is always set. Make the member a pointer.")
	codeNotOptional     = codes.New("unionmember/not-optional", "At most one member is set, so all members must be optional. Add `+k8s:optional`.")
	codeDefault         = codes.New("unionmember/default", "A default would set the member regardless of the discriminator. Remove it.")
	codeOnlyOne         = codes.New("unionmember/only-one", "A union needs several members. Add the others, or remove the tag.")
	codeNotAValue       = codes.New("unionmember/not-a-value", "The member's name is not a value of the discriminator's enum, so no value selects the member.")
	codeValueTaken      = codes.New("unionmember/value-taken", "Two members have the same value of the discriminator. Change the memberName of one.")
	codeIsDiscriminator = codes.New("unionmember/is-discriminator", "A field cannot be both the discriminator and a member of a union.")
	codeEachValue       = codes.New("unionmember/each-value", "A union has single items as members: +k8s:item(<key>: <value>)=+k8s:unionMember.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:unionMember", Role: model.RoleUnionMember, Stability: tag.Stable, Scopes: tag.OnField | tag.OnValue, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "union", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.Group, Doc: "the name of the union, if the struct has several"},
			{Name: "memberName", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.SelectorConst, Doc: "the discriminator's value that selects the member; by default the field's Go name"},
		},
		Discriminator: model.RoleUnionDiscriminator,
		Repeatable:    true,
		Summary:       "The field is a member of a union. Exactly one member is set.",
		Doc: "With a `+k8s:unionDiscriminator`, only the member whose name is the discriminator's value must be set; if no member has that name, all must be unset. " +
			"List items can be members too, with `+k8s:item(<key>: <value>)=+k8s:unionMember`: the list must have exactly one of them. " +
			"On an update, a union whose discriminator and set members are unchanged is not checked again. If the discriminator changes, `NormalizeUnions_<Kind>` clears the members that it no longer selects.",
		Good: tag.Code(`
			type Storage struct {
				// +k8s:required
				// +k8s:unionDiscriminator
				Type StorageType \'json:"type"\'
				// +k8s:optional
				// +k8s:unionMember
				PersistentVolume *PersistentVolume \'json:"persistentVolume,omitempty"\'
				// +k8s:optional
				// +k8s:unionMember
				ObjectStorage *ObjectStorage \'json:"objectStorage,omitempty"\'
			}`),
		Bad: tag.Code(`
			// +k8s:unionMember
			PersistentVolume PersistentVolume \'json:"persistentVolume"\' // always set: use a pointer with omitempty and +k8s:optional`),

		ErrorType: "Invalid", Origin: "union",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckMember(tag.MemberCodes{
				EachValue: codeEachValue, OnlyOne: codeOnlyOne, StructValue: codeStructValue,
				NotOptional: codeNotOptional, Default: codeDefault, ValueTaken: codeValueTaken,
			}, n, c, bag)
			tag.CheckSelected(tag.SelectedCodes{IsDiscriminator: codeIsDiscriminator, NotAValue: codeNotAValue}, n, c, bag)
		},
		Lower: tag.UnionRules("unionMember"),
	}
}
