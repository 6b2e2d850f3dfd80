// Package ifdisabled is the tag +k8s:ifDisabled.
package ifdisabled

import (
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoOption = codes.New("ifdisabled/no-option", "The tag depends on an option, and its name is empty.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:ifDisabled", Role: model.RoleOptionOff, Aliases: []string{"k8s:ifOptionDisabled"}, Stability: tag.Stable,
		Scopes: tag.Anywhere | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{{
			Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Required: true, Refers: tag.Option,
			Doc: "the option's name, usually a feature gate's",
		}},
		Payload: tag.Payload{Tag: true, Doc: "the tag whose rules hold while the option is off"}, Repeatable: true,
		Summary: "A tag whose rules hold while an option of the API server is off.",
		Doc: "Whoever runs validation says which options there are and which are on: `operation.Operation.Options`. One that is not defined there is an internal error. " +
			"The option is asked for once at a place, not for each item of a list. What a tag says of the shape of the API, such as that a list is a map, holds always; " +
			"of a union the one member is there while the option is off.\n\n" +
			"For published schemas the options of `--enable-options` are on, and all others are off.",
		Good:  "// +k8s:optional\n// +k8s:ifDisabled(LongNames)=+k8s:maxLength=63\nName string `json:\"name,omitempty\"`",
		Bad:   "// +k8s:ifDisabled=+k8s:maxLength=253\nName string `json:\"name\"` // which option? write ifDisabled(LongNames)",
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Constraint, bag *diag.Bag) { tag.CheckOption(codeNoOption, c, bag) },
		Lower: tag.ConditionalRules,
	}
}
