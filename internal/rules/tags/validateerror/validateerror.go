// Package validateerror is the tag +k8s:validateError.
package validateerror

import (
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Rules)

	codeForced = codes.New("validateerror/forced", "The tag always reports this error. Remove it.")
)

// Definition returns the tag.
func Definition() *tag.Definition {
	return &tag.Definition{
		Name: "k8s:validateError", Stability: tag.Alpha, Scopes: tag.Anywhere, Shapes: tag.AnyShape,
		Payload:    tag.Payload{Kinds: []model.ValueKind{model.StringValue}, Optional: true, Doc: "a text for the error"},
		Repeatable: true,
		Summary:    "The tag always reports an error.",
		Doc:        "For tests of generators. Nothing is generated.",
		Good: tag.Code(`
			// +k8s:validateError="this must not be generated"
			Name string \'json:"name"\'`),
		Bad: tag.Code(`
			// +k8s:validateError=1
			Name string \'json:"name"\' // the text is a string`),
		Codes: codes.All(),
		Check: func(_ *tag.Node, c *model.Tag, bag *diag.Bag) {
			bag.Errorf(c.Span, codeForced, "forced error: %q", c.Text())
		},
		Go:     tag.Unsupported("the tag always reports an error, so no code is generated"),
		Schema: tag.Unsupported("the tag always reports an error, so no schema is generated"),
	}
}
