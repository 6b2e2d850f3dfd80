// Package deprecated is the tag +versioned:deprecated.
package deprecated

import (
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argNote     = tag.Arg{Name: "note", Kinds: []model.ValueKind{model.StringValue}, Doc: "what to use instead"}
	argKeepName = tag.Arg{Name: "keepName", Kinds: []model.ValueKind{model.BoolValue}, Doc: "keep the name instead of renaming the field to deprecatedX"}
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:deprecated", Role: model.RoleDeprecated, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			tag.ArgField,
			argNote,
			argKeepName,
		},
		Repeatable: true,
		Declares: func(c *model.Tag) any {
			return &model.Deprecated{ChangeBase: tag.BaseOf(c), Note: c.Arg(argNote.Name), KeepName: c.Arg(argKeepName.Name)}
		},
		Summary: "The item is deprecated since a version.",
		Doc: "Since that version, the field is named `deprecatedX` in JSON and `DeprecatedX` in Go; older versions have the plain name. " +
			"A type keeps its name, which programs use: only comments change.",
		Good: tag.Code(`
			// +k8s:optional
			// +versioned:deprecated(since: "v1", note: "use storage")
			DeprecatedDisk string \'json:"deprecatedDisk,omitempty"\'`),
		Bad: tag.Code(`
			// +versioned:deprecated(since: "v1")
			Disk string \'json:"disk,omitempty"\' // rename it to DeprecatedDisk, or add keepName: true`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
