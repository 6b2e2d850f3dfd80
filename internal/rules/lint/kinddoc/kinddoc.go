// Package kinddoc reports kinds without a doc comment.
package kinddoc

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/english"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Definitions | diag.OpenAPI)

	codeNone = codes.New("kinddoc/none", "The kind has no doc comment, so its CustomResourceDefinition has no description. Write what an object of the kind is.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "kinddoc",
		Summary: "Kinds have doc comments.",
		Doc: "The doc comment of a kind is the description in its CustomResourceDefinition and in OpenAPI, which " +
			"`kubectl explain` prints first. Generated older versions repeat it.",
		Good: tag.Code(`
			// Database is a database server.
			// +kubebuilder:object:root=true
			type Database struct {`),
		Bad: tag.Code(`
			// +kubebuilder:object:root=true
			type Database struct {`),
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	for _, t := range lint.Types(pass.Model) {
		if t.Kind != nil && !t.Kind.List && strings.TrimSpace(t.Doc) == "" {
			pass.Diags.Warnf(t.Span, codeNone, "kind %s has no doc comment, which is its description for users; write what %s is", t.Name, english.A(t.Name))
		}
	}
}
