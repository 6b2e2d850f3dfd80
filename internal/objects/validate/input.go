// Package validate validates manifests with an engine, and reports every validation error at its
// position in the manifest.
//
// [Read] reads the objects, and [Run] validates them. Each error is a diagnostic; the [Summary] has the counts.
package validate

import (
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/objects/manifest"
)

// Input has the objects of files.
type Input struct {
	Documents []*manifest.Document
	Objects   []*manifest.Object
}

// Read reads files, folders, and "-" for stdin. It reports mistakes in the files. The error is that
// of a file that cannot be read.
func Read(names []string, stdin io.Reader, bag *diag.Bag) (*Input, error) {
	files, err := manifest.Files(names, stdin)
	if err != nil {
		return nil, err
	}
	in := &Input{}
	for _, file := range files {
		for _, doc := range manifest.Parse(file, bag) {
			in.Documents = append(in.Documents, doc)
			if doc.IsKustomization() {
				continue
			}
			in.Objects = append(in.Objects, doc.Objects(bag)...)
		}
	}
	return in, nil
}

// Kinds returns the kinds of the objects, each once.
func (in *Input) Kinds() []schema.GroupVersionKind {
	var kinds []schema.GroupVersionKind
	seen := map[schema.GroupVersionKind]bool{}
	for _, o := range in.Objects {
		if !seen[o.Kind] {
			seen[o.Kind] = true
			kinds = append(kinds, o.Kind)
		}
	}
	return kinds
}
