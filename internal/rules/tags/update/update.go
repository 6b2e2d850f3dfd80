// Package update is the tag +k8s:update.
package update

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The changes that the tag can disallow.
const (
	noSet        = "NoSet"
	noUnset      = "NoUnset"
	noModify     = "NoModify"
	noAddItem    = "NoAddItem"
	noRemoveItem = "NoRemoveItem"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNotACollection = codes.New("update/not-a-collection", "Only lists and maps have items that can be added and removed.")
	codeOnCollection   = codes.New("update/on-collection", "NoModify is for single values. For the items of a list or map, write `+k8s:eachVal=+k8s:update=NoModify`.")
	codeStructValue    = codes.New("update/struct-value", "A non-pointer struct is always set. Make the field a pointer, or remove the tag.")
	codeOnValues       = codes.New("update/on-values", "Only `NoModify` can be used on the values of a list or map. Put the tag on the field.")
	codeNested         = codes.New("update/nested", "`NoModify` cannot be used on values that are lists or maps.")
	codeUncorrelated   = codes.New("update/uncorrelated", "Only items of a list of type map are correlated with old items. In other lists, a changed item counts as new.")
	codeNoIdentity     = codes.New("update/no-identity", "Items of an atomic list are not identified. Use a list of type map or set, or add `+k8s:unique`.")
	codeRepeated       = codes.New("update/repeated", "The value is repeated. Remove one.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:update", Stability: tag.Stable, Scopes: tag.OnField | tag.OnValue | tag.OnMapValue, Shapes: tag.AnyShape,
		Payload: tag.Payload{
			Kinds:  []model.ValueKind{model.IdentValue, model.StringValue},
			Values: []string{noAddItem, noModify, noRemoveItem, noSet, noUnset},
			Doc:    "the disallowed change",
		},
		Repeatable: true,
		Summary:    "Updates must not make certain changes to the field.",
		Doc: "| value | disallowed change |\n|---|---|\n" +
			"| `NoSet` | setting the unset field |\n" +
			"| `NoUnset` | unsetting the set field |\n" +
			"| `NoModify` | changing the value; setting and unsetting are allowed |\n" +
			"| `NoAddItem` | adding items to a list or map |\n" +
			"| `NoRemoveItem` | removing items from a list or map |\n\n" +
			"`NoModify` and `NoUnset` together let a field be set once; the first three together are `+k8s:immutable`. " +
			"Lists and maps are unset if they are empty. `+k8s:listType` and `+k8s:unique` define how list items are identified; map entries are identified by key. " +
			"`+k8s:eachVal=+k8s:update=NoModify` makes each item immutable, but allows adding and removing items.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:update=NoModify
			// +k8s:update=NoUnset
			ClaimName *string \'json:"claimName,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:listType=atomic
			// +k8s:update=NoRemoveItem
			Peers []Peer \'json:"peers,omitempty"\' // items are not identified: use +k8s:listType=map or set`),
		ErrorType: "Invalid", Origin: "update",
		Codes: codes.All(),
		Check: check,
		Lower: rules,
	}
}
