package format

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kindsmith/kindsmith/internal/rule"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// errors are the errors that a value without the format gives.
func errors(name string) []rule.Error {
	all := []rule.Error{{Type: "Invalid", Origin: "format=" + name}}
	if rule.Formats[name].TooLong {
		all = append(all, rule.Error{Type: "TooLong", Origin: "format=" + name})
	}
	return all
}

func apply(f rule.FormatSpec, s *tag.Schema) {
	if f.OpenAPI != "" {
		s.Props.Format = f.OpenAPI
	}
	switch {
	case f.Pattern == "":
	case s.Props.Pattern == "":
		s.Props.Pattern = f.Pattern
	case s.Props.Pattern != f.Pattern:
		s.Props.AllOf = append(s.Props.AllOf, apiextensionsv1.JSONSchemaProps{Pattern: f.Pattern})
	}
	if f.MaxLength > 0 && (s.Props.MaxLength == nil || *s.Props.MaxLength > f.MaxLength) {
		n := f.MaxLength
		s.Props.MaxLength = &n
	}
	for _, r := range f.Rules {
		s.Rule(tag.CELRule(r.CEL, r.Message, tag.ReasonInvalid, ""))
	}
}
