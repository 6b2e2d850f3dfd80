// Package dependentforbidden is the tag +k8s:dependentForbidden.
package dependentforbidden

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoField     = codes.New("dependentforbidden/no-field", "The struct has no field with this JSON name.")
	codeItself      = codes.New("dependentforbidden/itself", "The field cannot depend on itself. Name another one.")
	codeStructValue = codes.New("dependentforbidden/struct-value", "A non-pointer struct is always set. Make the field a pointer.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:dependentForbidden", Stability: tag.Alpha, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args:       []tag.Arg{{Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Refers: tag.OwnerField, Doc: "the JSON name of the other field"}},
		Repeatable: true,
		Summary:    "If the field is set, another field of the struct must not be set.",
		Doc: "If this field is unset, the rule does not apply. A field is set if it is a non-nil pointer, a non-empty list or map, or another non-zero value. " +
			"On an update, the rule applies if one of the two fields was set or unset. Repeat the tag for several fields.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:dependentForbidden("image")
			Build *Build \'json:"build,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:dependentForbidden("image")
			Build Build \'json:"build"\' // a struct is always set: use a pointer`),
		ErrorType: "Forbidden", Origin: "dependentForbidden",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Tag, bag *diag.Bag) {
			tag.CheckDependent(tag.DependentCodes{NoField: codeNoField, Itself: codeItself, StructValue: codeStructValue}, n, c, bag)
		},
		Lower: tag.DependentRules("dependentForbidden", true),
	}
}
