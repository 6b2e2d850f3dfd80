// Package format is the tag +k8s:format.
package format

import (
	"maps"
	"slices"

	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:format", Stability: tag.Stable, Scopes: tag.Anywhere, Shapes: tag.Strings,
		Payload: tag.Payload{
			Kinds:  []model.ValueKind{model.IdentValue, model.StringValue},
			Values: slices.Sorted(maps.Keys(formats())),
			Doc:    "the format's name",
		},
		Repeatable: true,
		Summary:    "A string has the given Kubernetes format.",
		Doc:        doc(),
		Good:       "// +k8s:required\n// +k8s:format=k8s-short-name\nServiceName string `json:\"serviceName\"`",
		Bad:        "// +k8s:format=dns1123\nServiceName string `json:\"serviceName\"` // no such format: k8s-short-name is meant",
		ErrorType:  "Invalid", Origin: "format=<name>",
		Judge: judge,
		Go: tag.GoRules(func(_ *tag.Node, c *model.Constraint) []tag.Rule {
			f, ok := formats()[c.Text()]
			if !ok {
				return nil
			}
			return []tag.Rule{{
				Tag: "format", Reports: f.reports(c.Text()),
				Check: func(e *tag.Exprs) string { return e.Call(f.check, e.Value) },
			}}
		}),
		Schema: tag.SchemaRules(func(_ *tag.Node, c *model.Constraint, s *tag.Schema) {
			if f, ok := formats()[c.Text()]; ok {
				f.apply(s)
			}
		}),
	}
}

func doc() string {
	text := "| format | a value is |\n|---|---|\n"
	all := formats()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		text += "| `" + name + "` | " + all[name].doc + " |\n"
	}
	return text
}
