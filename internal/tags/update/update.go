// Package update is the tag +k8s:update.
package update

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// The changes that the tag can rule out.
const (
	noSet        = "NoSet"
	noUnset      = "NoUnset"
	noModify     = "NoModify"
	noAddItem    = "NoAddItem"
	noRemoveItem = "NoRemoveItem"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNotACollection = codes.New("update/not-a-collection", "Only lists and maps have items that can be added and removed.")
	codeOnCollection   = codes.New("update/on-collection", "NoModify is about one value. For the items of a list or map write +k8s:eachVal=+k8s:update=NoModify.")
	codeStructValue    = codes.New("update/struct-value", "A struct that is not behind a pointer is always set. Make the field a pointer, or drop the tag.")
	codeOnValues       = codes.New("update/on-values", "Of the values of a list or map only changes can be ruled out. Put the tag on the field.")
	codeNested         = codes.New("update/nested", "Values that are lists or maps themselves have no NoModify.")
	codeUncorrelated   = codes.New("update/uncorrelated", "Only items of a list of type map are paired with what they were. A changed item of any other list is a new one.")
	codeNoIdentity     = codes.New("update/no-identity", "Items of an atomic list cannot be told apart. Give the list a type of map or set, or +k8s:unique.")
	codeRepeated       = codes.New("update/repeated", "The same value stands here twice. Drop one.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:update", Stability: tag.Stable, Scopes: tag.OnField | tag.OnValue | tag.OnMapValue, Shapes: tag.AnyShape,
		Payload: tag.Payload{
			Kinds:  []model.ValueKind{model.IdentValue, model.StringValue},
			Values: []string{noAddItem, noModify, noRemoveItem, noSet, noUnset},
			Doc:    "the change that is ruled out",
		},
		Repeatable: true,
		Summary:    "Some changes of the field are not allowed once the object exists.",
		Doc: "| value | what cannot be done |\n|---|---|\n" +
			"| `NoSet` | setting the field when it was unset |\n" +
			"| `NoUnset` | unsetting it when it was set |\n" +
			"| `NoModify` | changing it from one value to another; setting and unsetting are allowed |\n" +
			"| `NoAddItem` | adding items to a list or map |\n" +
			"| `NoRemoveItem` | removing items from a list or map |\n\n" +
			"`NoModify` and `NoUnset` together make a field that is set once; all of the first three are `+k8s:immutable`. " +
			"Lists and maps are unset when they are empty. Items of a list are told apart as `+k8s:listType` and `+k8s:unique` say, those of a map by their keys. " +
			"`+k8s:eachVal=+k8s:update=NoModify` freezes each item and leaves the list open.",
		Good:      "// +k8s:optional\n// +k8s:update=NoModify\n// +k8s:update=NoUnset\nClaimName *string `json:\"claimName,omitempty\"`",
		Bad:       "// +k8s:optional\n// +k8s:listType=atomic\n// +k8s:update=NoRemoveItem\nPeers []Peer `json:\"peers,omitempty\"` // which item is which? use +k8s:listType=map or set",
		ErrorType: "Invalid", Origin: "update",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}
