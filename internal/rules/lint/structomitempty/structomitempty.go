// Package structomitempty reports omitempty on structs, where it has no effect.
package structomitempty

import (
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/rules/lint"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Diagnostic codes.
var (
	codes = diag.Protect(diag.Shapes)

	codeNoEffect = codes.New("structomitempty/no-effect", "`omitempty` has no effect on a struct without a pointer. Write `omitzero`, use a pointer, or remove it.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "structomitempty",
		Summary: "omitempty is not used on structs.",
		Doc: "encoding/json considers no struct empty, so `omitempty` has no effect on a struct field without a pointer. " +
			"`omitzero` omits the struct if all of its fields are zero; with a pointer, `omitempty` omits it if the pointer is nil.",
		Good: tag.Code(`
			Status WorkerStatus \'json:"status,omitzero"\'`),
		Bad: tag.Code(`
			Status WorkerStatus \'json:"status,omitempty"\' // always encoded, at least as {}`),
		Codes: codes.All(),
		Run:   run,
	}
}

// metadata are structs on which omitempty is customary and harmless: the server sets
// them.
var metadata = map[model.Name]bool{
	model.ObjectMeta: true,
	model.ListMeta:   true,
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
				"omitempty has no effect on %s, a struct without a pointer; write omitzero, use a pointer, or remove it", f.Name).
				RestsOn(diag.Meaning(f.TypeSpan))
			if found {
				d.Suggest(span, "omitzero", "write omitzero")
			}
		}
	}
}

// option returns the span of omitempty in the field's json tag, or that of the
// field's name if the tag contains escapes.
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
