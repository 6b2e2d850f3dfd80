// Package dependentforbidden is the tag +k8s:dependentForbidden.
package dependentforbidden

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoField     = codes.New("dependentforbidden/no-field", "The struct has no field of that JSON name.")
	codeItself      = codes.New("dependentforbidden/itself", "The field cannot depend on itself. Name another one.")
	codeStructValue = codes.New("dependentforbidden/struct-value", "A struct that is not behind a pointer is always set. Make the field a pointer.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:dependentForbidden", Stability: tag.Alpha, Scopes: tag.OnField, Shapes: tag.AnyShape,
		Args:       []tag.Arg{{Kinds: []model.ValueKind{model.StringValue, model.IdentValue}, Required: true, Refers: tag.OwnerField, Doc: "the JSON name of the other field"}},
		Repeatable: true,
		Summary:    "When the field is set, another field of the struct may not be set.",
		Doc: "Nothing is said about the other field when this one is unset. A field is set when it is a pointer that is not nil, a list or map that is not empty, or another value that is not zero. " +
			"On an update the rule is looked at when one of the two was set or unset. Repeat the tag for several fields.",
		Good:      "// +k8s:optional\n// +k8s:dependentForbidden(\"image\")\nBuild *Build `json:\"build,omitempty\"`",
		Bad:       "// +k8s:dependentForbidden(\"image\")\nBuild Build `json:\"build\"` // a struct is always set: use a pointer",
		ErrorType: "Forbidden", Origin: "dependentForbidden",
		Codes: codes.All(),
		Check: func(n *tag.Node, c *model.Constraint, bag *diag.Bag) {
			tag.CheckDependent(tag.DependentCodes{NoField: codeNoField, Itself: codeItself, StructValue: codeStructValue}, n, c, bag)
		},
		Lower: tag.DependentRules("dependentForbidden", true),
	}
}
