// Package zerooroneofmember is the tag +k8s:zeroOrOneOfMember.
package zerooroneofmember

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeStructValue = codes.New("zerooroneofmember/struct-value", "A struct that is not behind a pointer is always set. Make the member a pointer.")
	codeNotOptional = codes.New("zerooroneofmember/not-optional", "At most one member is set, so each must be optional. Add +k8s:optional.")
	codeDefault     = codes.New("zerooroneofmember/default", "A default would set the member always. Drop it.")
	codeOnlyOne     = codes.New("zerooroneofmember/only-one", "A union with one member says nothing. Add the others, or drop the tag.")
	codeValueTaken  = codes.New("zerooroneofmember/value-taken", "Two members have the same name or keys. Drop one, or give one another memberName.")
	codeEachValue   = codes.New("zerooroneofmember/each-value", "Items are members one by one: +k8s:item(<key>: <value>)=+k8s:zeroOrOneOfMember.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:zeroOrOneOfMember", Role: model.RoleZeroOrOneOfMember, Stability: tag.Stable, Scopes: tag.OnField | tag.OnValue, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			{Name: "union", Kinds: []model.ValueKind{model.StringValue}, Doc: "the union's name, where a struct or list has several"},
			{Name: "memberName", Kinds: []model.ValueKind{model.StringValue}, Doc: "another name for the member; by default the field's Go name"},
		},
		Repeatable: true,
		Summary:    "At most one of the members is set.",
		Doc: "Meant for items of a list, by `+k8s:item(<key>: <value>)=+k8s:zeroOrOneOfMember`: at most one of the items is in the list. " +
			"On fields prefer `+k8s:unionMember` with a discriminator: a client that does not know a new member could not tell it from none. " +
			"On an update, a union whose set members are unchanged is not checked again.",
		Good:      "// +k8s:optional\n// +k8s:listType=map\n// +k8s:listMapKey=type\n// +k8s:item(type: \"Approved\")=+k8s:zeroOrOneOfMember\n// +k8s:item(type: \"Denied\")=+k8s:zeroOrOneOfMember\nConditions []Condition `json:\"conditions,omitempty\"`",
		Bad:       "// +k8s:optional\n// +k8s:eachVal=+k8s:zeroOrOneOfMember\nConditions []Condition `json:\"conditions,omitempty\"` // which items? name them with +k8s:item",
		ErrorType: "Invalid", Origin: "zeroOrOneOf",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			tag.CheckMember(tag.MemberCodes{
				EachValue: codeEachValue, OnlyOne: codeOnlyOne, StructValue: codeStructValue,
				NotOptional: codeNotOptional, Default: codeDefault, ValueTaken: codeValueTaken,
			}, n, c, bag)
		},
		Lower: tag.UnionRules("zeroOrOneOfMember"),
	}
}
