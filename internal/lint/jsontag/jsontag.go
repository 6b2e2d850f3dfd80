// Package jsontag is about fields whose name on the wire nobody chose.
package jsontag

import (
	"strings"
	"unicode"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/lint"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Diagnostic codes.
var (
	codes diag.Codes

	codeMissing = codes.New("jsontag/missing", "The field has no json tag, so its Go name is its name on the wire. Give it a name, or `json:\"-\"` to keep it off the wire.")
)

// Definition returns the convention.
func Definition() *lint.Definition {
	return &lint.Definition{
		Name:    "jsontag",
		Summary: "Every exported field of an API type has a json tag.",
		Doc: "Without one the field is called by its Go name on the wire, capital first, and no other Kubernetes API does that. " +
			"API types are the kinds, whatever they are made of, and structs with tags of kindsmith on their fields. Embedded structs are inlined and need none.",
		Good:  "Replicas int32 `json:\"replicas\"`",
		Bad:   "Replicas int32 // \"Replicas\" on the wire",
		Codes: codes.All(),
		Run:   run,
	}
}

func run(pass *lint.Pass) {
	m, bag := pass.Model, pass.Diags
	api := ofKinds(m)
	for _, t := range lint.Types(m) {
		if !api[t.ID()] && !tagged(t) {
			continue
		}
		for _, f := range t.Fields {
			if f.Exported() && !f.Embedded && !strings.Contains(f.StructTag, `json:"`) {
				bag.Warnf(f.Span, codeMissing, "field %s has no json tag, so it is called %q on the wire; write `json:%q`", f.Name, f.Name, lowerCamel(f.Name))
			}
		}
	}
}

// ofKinds returns the types that kinds are made of.
func ofKinds(m *model.Model) map[model.Name]bool {
	found := map[model.Name]bool{}
	var visit func(r *model.Ref)
	visit = func(r *model.Ref) {
		if r == nil {
			return
		}
		visit(r.Elem)
		visit(r.Key)
		for _, a := range r.Args {
			visit(a)
		}
		t := m.Type(r.ID())
		if t == nil || found[t.ID()] {
			return
		}
		found[t.ID()] = true
		visit(t.Def)
		for _, f := range t.Fields {
			if !f.Skipped {
				visit(f.Type)
			}
		}
	}
	for _, t := range lint.Types(m) {
		if t.Kind != nil {
			visit(model.Named(t.Package, t.Name))
		}
	}
	return found
}

// tagged reports whether a field of the struct has a tag of ours.
func tagged(t *model.Type) bool {
	for _, f := range t.Fields {
		if len(f.Constraints) > 0 || f.Default != nil || len(f.Changes) > 0 {
			return true
		}
	}
	return false
}

// lowerCamel returns a Go name as it would customarily be on the wire: IPFamily
// is ipFamily.
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
