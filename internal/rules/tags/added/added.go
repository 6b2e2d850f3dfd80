// Package added is the tag +versioned:added.
package added

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// The arguments.
var (
	argDefault     = tag.Arg{Name: "default", Kinds: []model.ValueKind{model.StringValue, model.JSONValue, model.IntValue, model.BoolValue, model.RawValue}, Refers: tag.Function, Scopes: tag.OnField, Doc: "the value of the field in upgraded older objects: a function func() T of the package, or a JSON value"}
	argDowngradeTo = tag.Arg{Name: "downgradeTo", Kinds: []model.ValueKind{model.StringValue}, Refers: tag.ValueConst, Scopes: tag.OnConst, Doc: "for an enum constant: the value that replaces it in older versions"}
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeSelects = codes.New("added/selects-member", "Older objects get the value of `downgradeTo`, and lack the member that it selects. Name a value that selects no member, or make the member optional.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "versioned:added", Role: model.RoleAdded, Stability: tag.Stable, Scopes: tag.OnType | tag.OnField | tag.OnConst, Shapes: tag.AnyShape,
		Args: []tag.Arg{
			tag.ArgSince,
			tag.ArgField,
			argDefault,
			argDowngradeTo,
			tag.ArgLossy.On(tag.OnField | tag.OnConst),
		},
		Repeatable: true,
		Codes:      codes.All(),
		CheckPackage: func(m *model.Model, p *model.Package, bag *diag.Bag) {
			for _, t := range p.Types {
				for _, c := range t.Consts {
					for _, change := range c.Changes {
						if added, ok := change.(*model.Added); ok {
							tag.CheckReplacement(codeSelects, m, p, t, added.DowngradeTo, bag)
						}
					}
				}
			}
		},
		Declares: func(c *model.Tag) any {
			return &model.Added{ChangeBase: tag.BaseOf(c), Default: c.Arg(argDefault.Name), DowngradeTo: c.Arg(argDowngradeTo.Name), Losses: tag.LossesOf(c)}
		},
		Summary: "The item was added in a version.",
		Doc:     "Generated older versions do not have it. Without a default, the field is unset in an upgraded older object.",
		Good: tag.Code(`
			// +k8s:optional
			// +versioned:added(since: "v1beta1", default: "DefaultBackup")
			Backup *Backup \'json:"backup,omitempty"\'`),
		Bad: tag.Code(`
			// +versioned:added(since: "v1beta1")
			// +versioned:changed(since: "v1beta1", fromName: "dump") // two changes in one version
			Backup *Backup \'json:"backup,omitempty"\'`),
		Go:     tag.Elsewhere("the versions and conversion emitters"),
		Schema: tag.Elsewhere("the versions and conversion emitters"),
	}
}
