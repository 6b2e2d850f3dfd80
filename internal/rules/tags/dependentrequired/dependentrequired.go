// Package dependentrequired is the tag +k8s:dependentRequired.
package dependentrequired

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoField     = codes.New("dependentrequired/no-field", "The struct has no field with this JSON name.")
	codeItself      = codes.New("dependentrequired/itself", "The field cannot depend on itself. Name another one.")
	codeStructValue = codes.New("dependentrequired/struct-value", "A non-pointer struct is always set. Make the field a pointer.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:dependentRequired", Stability: tag.Alpha, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args:       []tag.Arg{{Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Refers: tag.OwnerField, Doc: "the JSON name of the other field"}},
		Repeatable: true,
		Summary:    "If the field is set, another field of the struct must be set.",
		Doc: "If this field is unset, the rule does not apply. A field is set if it is a non-nil pointer, a non-empty list or map, or another non-zero value. " +
			"On an update, the rule applies if one of the two fields was set or unset. Repeat the tag for several fields.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:dependentRequired("tlsKey")
			TLSCert *string \'json:"tlsCert,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:optional
			// +k8s:dependentRequired("tlskey")
			TLSCert *string \'json:"tlsCert,omitempty"\' // no field has this JSON name: write tlsKey`),
		ErrorType: "Required", Origin: "dependentRequired",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckDependent(tag.DependentCodes{NoField: codeNoField, Itself: codeItself, StructValue: codeStructValue}, n, c, bag)
		},
		Lower: tag.DependentRules("dependentRequired", false),
	}
}
