// Package format is the tag +k8s:format.
package format

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:format", Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload: tag.Payload{
			Kinds:  []model.ValueKind{model.IdentValue, model.StringValue},
			Values: slices.Sorted(maps.Keys(rule.Formats)),
			Doc:    "the format's name",
		},
		Repeatable: true,
		Summary:    "A string has the given Kubernetes format.",
		Doc:        doc(),
		Good: tag.Code(`
			// +k8s:required
			// +k8s:format=k8s-short-name
			ServiceName string \'json:"serviceName"\'`),
		Bad: tag.Code(`
			// +k8s:format=dns1123
			ServiceName string \'json:"serviceName"\' // unknown format: write k8s-short-name`),
		ErrorType: "Invalid", Origin: "format=<name>",
		Lower: func(_ *tag.Node, c *model.Tag) []rule.Rule {
			if _, ok := rule.Formats[c.Text()]; !ok {
				return nil
			}
			return []rule.Rule{{Tag: "format", Must: &rule.Format{Name: c.Text()}, Errors: errors(c.Text())}}
		},
	}
}

func doc() string {
	text := "| format | valid value |\n|---|---|\n"
	all := rule.Formats
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text += "| `" + name + "` | " + all[name].Doc
		if note := all[name].Note; note != "" {
			text += "; " + note
		}
		text += " |\n"
	}
	return text
}
