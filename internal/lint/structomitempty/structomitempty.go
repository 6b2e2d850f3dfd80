// Package structomitempty is about omitempty on structs.
package structomitempty

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/defaulting"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeNoEffect = codes.New("structomitempty/no-effect", "`omitempty` does nothing on a struct that is not behind a pointer. Write `omitzero`, use a pointer, or remove it.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "structomitempty",
		Summary: "omitempty stands on nothing that is never empty.",
		Doc: "encoding/json calls no struct empty, so `omitempty` on a field whose struct is not behind a pointer is read by people and by nothing else. " +
			"`omitzero` leaves the struct out when all of its fields are zero; a pointer leaves it out when it is nil.",
		Good:  "Status WorkerStatus `json:\"status,omitzero\"`",
		Bad:   "Status WorkerStatus `json:\"status,omitempty\"` // always written, as {} at least",
		Codes: codes.All(),
		Run:   run,
	}
}

// metadata are structs whose omitempty is customary and harmless: the server fills them.
var metadata = map[model.Name]bool{
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "ObjectMeta"}: true,
	{Package: "k8s.io/apimachinery/pkg/apis/meta/v1", Name: "ListMeta"}:   true,
}

func run(pass *lint.Pass) {
	m, bag := pass.Model, pass.Diags
	for _, t := range lint.Types(m) {
		for _, f := range t.Fields {
			if !f.OmitEmpty || f.OmitZero || f.Inline || f.Skipped || metadata[f.Type.ID()] || defaulting.KindOf(m, f.Type) != defaulting.Struct {
				continue
			}
			span, found := option(f)
			d := bag.Warnf(span, codeNoEffect,
				"omitempty does nothing on %s, a struct that is not behind a pointer; write omitzero, use a pointer, or remove it", f.Name)
			if found {
				d.Suggest(span, "omitzero", "write omitzero")
			}
		}
	}
}

// option returns where omitempty stands in the field's json tag, or the field's
// name when a tag with escapes hides it.
func option(f *model.Field) (span source.Span, found bool) {
	const key, word = `json:"`, "omitempty"
	text := f.TagSpan.Text()
	start := strings.Index(text, key)
	if start < 0 {
		return f.Span, false
	}
	start += len(key)
	value, _, _ := strings.Cut(text[start:], `"`)
	at := strings.Index(value, ","+word)
	if at < 0 {
		return f.Span, false
	}
	at += start + 1
	return f.TagSpan.Sub(at, at+len(word)), true
}
