// Package removed is the tag +versioned:removed.
package removed

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argName     = tag.Arg{Name: "name", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the JSON name of the field"}
	argType     = tag.Arg{Name: "type", Kinds: []model.ValueKind{model.StringValue}, Required: true, Doc: "the Go type of the field"}
	argGoName   = tag.Arg{Name: "goName", Kinds: []model.ValueKind{model.StringValue}, Doc: "the Go name of the field, if it does not follow from the JSON name"}
	argRequired = tag.Arg{Name: "required", Kinds: []model.ValueKind{model.BoolValue}, Doc: "true if the field is required: it has no omitempty"}
	argDoc      = tag.Arg{Name: "doc", Kinds: []model.ValueKind{model.StringValue}, Doc: "the doc comment of the field"}
	argToPath   = tag.Arg{Name: "toPath", Kinds: []model.ValueKind{model.StringValue}, Doc: "the label or the annotation that has the value since: metadata.annotations['key']"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:removed", Role: model.RoleRemoved, Stability: tag.Stable, Scopes: tag.OnType, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			argName,
			argType,
			argGoName,
			argRequired,
			argDoc,
			argToPath,
			tag.ArgTransform,
			tag.ArgLossy,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Removed{
				ChangeBase: tag.BaseOf(c), Name: c.Arg(argName.Name), Type: c.Arg(argType.Name), GoName: c.Arg(argGoName.Name),
				Required: c.Arg(argRequired.Name), Doc: c.Arg(argDoc.Name),
				ToPath: c.Arg(argToPath.Name), Transform: c.Arg(tag.ArgTransform.Name), Losses: tag.LossesOf(c),
			}
		},
		Summary: "A field was removed in a version.",
		Doc: "Earlier versions of the struct have the field. Its type can be declared for older versions only; tags on that type apply. " +
			"Tags for the field itself are tags on the struct: `+versioned:until(\"v1beta1\")=+k8s:subfield(\"legacyPort\")=+k8s:minimum=1`. " +
			"Earlier changes of the field are markers on the struct with `field`: `+versioned:added(since: \"v1beta1\", field: \"legacyPort\")`. " +
			"A field that became a label or an annotation of its kind has `toPath: \"metadata.annotations['example.com/port']\"`, and a `transform` to the string if it was none: `transform: \"integer\"`.",
		Good: tag.Code(`
			// +versioned:removed(since: "v1", name: "legacyPort", type: "int32")
			type DatabaseSpec struct{}`),
		Bad: tag.Code(`
			// +versioned:removed(since: "v1") // which field? add name and type
			type DatabaseSpec struct{}`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
