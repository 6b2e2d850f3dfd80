// Package jsontag reports fields without a JSON name.
package jsontag

import (
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeHidden  = codes.New("jsontag/hidden", "A field of an inlined struct has the JSON name of another field. As in encoding/json, JSON has the less nested one, so clients cannot set the hidden field, and its rules do not apply. Rename one of the fields.")
	codeMissing = codes.New("jsontag/missing", "The field has no json tag, so its JSON name is its Go name. Add a name, or `json:\"-\"` to exclude the field from JSON.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "jsontag",
		Summary: "Every exported field of an API type has a json tag.",
		Doc: "Without a json tag, the JSON name of a field is its Go name, which begins with an upper-case letter. Kubernetes APIs begin JSON names with a lower-case letter. " +
			"API types are the kinds, all types that they use, and structs with kindsmith's tags on their fields. Embedded structs are inlined and need no tag. The convention also reports fields that JSON lacks because another field has their name.",
		Good: tag.Code(`
			Replicas int32 \'json:"replicas"\'`),
		Bad:   "Replicas int32 // \"Replicas\" in JSON",
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	m, bag := pass.Model, pass.Diags
	for t := range lint.APITypes(m) {
		hidden(pass, t)
		for _, f := range t.Fields {
			if !f.Exported() || f.Embedded || f.Inline {
				continue
			}
			switch name := lowerCamel(f.Name); {
			case !strings.Contains(strings.ToLower(f.StructTag), "json"):
				bag.Warnf(f.Span, codeMissing, "field %s has no json tag, so its JSON name is %q; write `json:%q`", f.Name, f.Name, name).RestsOn(tag.JSONTagOf(f))
			case strings.Contains(f.StructTag, `json:",`):
				bag.Warnf(f.TagSpan, codeMissing, "the json tag of field %s has no name, so its JSON name is %q; write %q before the comma", f.Name, f.Name, name).RestsOn(tag.JSONTagOf(f))
			}
		}
	}
}

// hidden reports fields that JSON lacks because of their names, at the field that inlines them.
func hidden(pass *lint.Pass, t *model.Type) {
	object := pass.Model.Object(t)
	if object == nil {
		return
	}
	for _, h := range object.Hidden {
		if len(h.By) == 0 || len(h.Through) == 0 {
			continue // another check reports fields of one depth, of which JSON has none
		}
		pass.Diags.Warnf(h.Through[0].Span, codeHidden, "JSON lacks %s, since %s is %q too; rename one of the fields", strings.Join(h.Path, "."), strings.Join(h.By, "."), h.Name).
			Note(h.Field.Span, "the hidden field")
	}
}

// lowerCamel returns the conventional JSON name of a Go name: IPFamily becomes
// ipFamily.
func lowerCamel(name string) string {
	runes := []rune(name)
	for i := range runes {
		if !unicode.IsUpper(runes[i]) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}
