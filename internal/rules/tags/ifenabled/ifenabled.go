// Package ifenabled is the tag +k8s:ifEnabled.
package ifenabled

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeNoOption = codes.New("ifenabled/no-option", "The name of the option is empty.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:ifEnabled", Role: model.RoleOptionOn, Aliases: []string{"k8s:ifOptionEnabled"}, Stability: tag.Stable,
		Scopes: tag.Anywhere | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{{
			Kinds: []model.ValueKind{model.IdentValue, model.StringValue}, Required: true, Refers: tag.Option,
			Doc: "the option's name, usually a feature gate's",
		}},
		Payload: tag.Payload{Tag: true, Doc: "the tag whose rules apply if the option is enabled"}, Repeatable: true,
		Summary: "The tag's rules apply if an option of the API server is enabled.",
		Doc: "The caller of validation sets all options in `operation.Operation.Options`. An option that is missing there is an internal error. " +
			"The option does not affect the shape of the API, such as the type of a list; " +
			"but a union has the member only if the option is enabled.\n\n" +
			"In published schemas, the options of `--enable-options` are enabled, and all others are disabled.",
		Good: tag.Code(`
			// +k8s:optional
			// +k8s:ifEnabled(LongNames)=+k8s:maxLength=253
			Name string \'json:"name,omitempty"\'`),
		Bad: tag.Code(`
			// +k8s:ifEnabled=+k8s:maxLength=253
			Name string \'json:"name"\' // which option? write ifEnabled(LongNames)`),
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) { tag.CheckOption(codeNoOption, c, bag) },
		Lower: tag.ConditionalRules,
	}
}
