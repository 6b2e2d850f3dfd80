// Package lint defines API conventions.
//
// [Types] and [APITypes] are what a convention looks at; it reports to the bag of its [Pass].
//
// A convention concerns more than one tag, or Go types without tags. Each is one
// Definition in its own folder below this one. Package driver lists all conventions.
package lint

import (
	"iter"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/rules/tag"
)

// Definition is a convention.
type Definition struct {
	// Name is the name of the folder and the first half of the diagnostic codes.
	Name string
	// Always means that `kindsmith generate` checks the convention too, because
	// code generated for a violation is not what its author meant. Only
	// `kindsmith lint` checks the others.
	Always bool
	// Upstream means that it is a convention of reviewers of Kubernetes' own APIs. It is
	// checked where packages have upstream's +k8s:validation-gen, and on request.
	Upstream bool

	// Summary is one sentence; Doc is more, as Markdown.
	Summary string
	Doc     string
	// Good and Bad are Go declarations that follow and violate the convention.
	Good, Bad string
	// Codes are the codes that Run reports.
	Codes []diag.Code

	// Run reports what breaks the convention in the packages that were asked for.
	Run func(*Pass)
}

// Pass is what a convention works from.
type Pass struct {
	Model *model.Model
	Tags  *tag.Set
	// Files is what files are read through.
	Files *source.FS
	Diags *diag.Bag
}

// Types returns the hand-written types of the root packages. It omits types of
// generated versions, whose source is the newest version.
func Types(m *model.Model) iter.Seq2[*model.Package, *model.Type] {
	return func(yield func(*model.Package, *model.Type) bool) {
		for _, p := range m.Packages {
			if !p.Named() || p.Generated {
				continue
			}
			for _, t := range p.Types {
				if !yield(p, t) {
					return
				}
			}
		}
	}
}

// APITypes returns the types that are part of an API: the hand-written types that kinds use, and
// structs with tags on their fields.
func APITypes(m *model.Model) iter.Seq[*model.Type] {
	return func(yield func(*model.Type) bool) {
		api := m.Parts(func(p *model.Package, t *model.Type) bool { return p.Named() && !p.Generated && t.Kind != nil })
		for _, t := range Types(m) {
			if (api[t.ID()] || tagged(t)) && !yield(t) {
				return
			}
		}
	}
}

// tagged reports whether a field of the struct has one of kindsmith's tags.
func tagged(t *model.Type) bool {
	for _, f := range t.Fields {
		if len(f.Tags) > 0 || f.Default != nil || len(f.Changes) > 0 {
			return true
		}
	}
	return false
}

// IsExempt reports whether validation-gen's marker disables conventions for a type, on it or on its package.
func IsExempt(p *model.Package, t *model.Type) bool {
	return model.HasMarker(p.Markers, foreign.ValidationGenNoLint) || model.HasMarker(t.Markers, foreign.ValidationGenNoLint)
}
