// Package zerooroneofmember is the tag +k8s:zeroOrOneOfMember.
package zerooroneofmember

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeStructValue = codes.New("zerooroneofmember/struct-value", "A non-pointer struct is always set. Make the member a pointer.")
	codeNotOptional = codes.New("zerooroneofmember/not-optional", "At most one member is set, so all members must be optional. Add `+k8s:optional`.")
	codeDefault     = codes.New("zerooroneofmember/default", "A default would always set the member. Remove it.")
	codeOnlyOne     = codes.New("zerooroneofmember/only-one", "A union needs several members. Add the others, or remove the tag.")
	codeValueTaken  = codes.New("zerooroneofmember/value-taken", "Two members have the same name or keys. Remove one, or change its memberName.")
	codeEachValue   = codes.New("zerooroneofmember/each-value", "A union has single items as members: +k8s:item(<key>: <value>)=+k8s:zeroOrOneOfMember.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:zeroOrOneOfMember", Role: model.RoleZeroOrOneOfMember, Stability: tag.Stable, Scopes: tag.OnField | tag.OnValue, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "union", Kinds: []model.ValueKind{model.StringValue}, Doc: "the name of the union, if the struct or list has several"},
			{Name: "memberName", Kinds: []model.ValueKind{model.StringValue}, Doc: "another name for the member; by default the field's Go name"},
		},
		Repeatable: true,
		Summary:    "At most one of the members is set.",
		Doc: "For list items, with `+k8s:item(<key>: <value>)=+k8s:zeroOrOneOfMember`: the list must have at most one of them. " +
			"For fields, prefer `+k8s:unionMember` with a discriminator: without one, clients that do not know a new member cannot distinguish it from an empty union. " +
			"On an update, a union whose set members are unchanged is not checked again.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:listType=map
			// +k8s:listMapKey=type
			// +k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
			// +k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
			Conditions []Condition \'json:"conditions,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:eachVal=+k8s:zeroOrOneOfMember
			Conditions []Condition \'json:"conditions,omitempty"\' // which items? name them with +k8s:item`),
		ErrorType: "Invalid", Origin: "zeroOrOneOf",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckMember(tag.MemberCodes{
				EachValue: codeEachValue, OnlyOne: codeOnlyOne, StructValue: codeStructValue,
				NotOptional: codeNotOptional, Default: codeDefault, ValueTaken: codeValueTaken,
			}, n, c, bag)
		},
		Lower: tag.UnionRules("zeroOrOneOfMember"),
	}
}
