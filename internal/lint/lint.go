// Package lint says what an API convention must answer.
//
// A convention is about more than one tag, or about Go types without any. Each
// is one Definition in a folder of its own below this one. Which conventions
// there are is package driver's list.
package lint

import (
	"iter"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
	"github.com/kindsmith/kindsmith/internal/tag"
)

// Definition is a convention.
type Definition struct {
	// Name is the name of the folder, which is also the first half of the codes.
	Name string
	// Always is set on a convention that `kindsmith generate` looks at too, since
	// what breaks it gives generated code that is not what its author meant. The
	// others are for `kindsmith lint` only.
	Always bool

	// Summary is one sentence; Doc is more, as Markdown.
	Summary string
	Doc     string
	// Good and Bad are Go declarations that keep to the convention and break it.
	Good, Bad string
	// Codes are the codes of what Run reports.
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

// Types returns the types that authors wrote in the packages that were asked
// for. Those of generated versions are left out: their source is the newest
// version's.
func Types(m *model.Model) iter.Seq2[*model.Package, *model.Type] {
	return func(yield func(*model.Package, *model.Type) bool) {
		for _, p := range m.Packages {
			if !p.Root || p.Generated {
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
