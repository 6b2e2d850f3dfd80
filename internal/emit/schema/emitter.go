// Package schema writes CustomResourceDefinitions.
//
// The model becomes one file a kind, with every version in it. Go types map to
// schemas as controller-gen maps them, so that a kubebuilder project keeps its
// schemas; the declarative tags, enum constants and defaults come on top. The
// differences that are on purpose are listed in differences_test.go.
//
// The stages are
//
//	family     which packages' types are the versions of one kind
//	builder    type → schema: shapes, structs, markers, tags, enums, defaults
//	crd        schemas and kind markers → CustomResourceDefinition
//	check      the server's own validation, its complaints taken back to the source
//	write      YAML
package schema

import (
	"github.com/kindsmith/kindsmith/internal/emit"
)

// Emitter returns the emitter of CustomResourceDefinitions.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:    "crd",
		Summary: "CustomResourceDefinitions, one file a kind with all its versions",
		Codes:   codes.All(),
		Emit:    emitCRDs,
	}
}

// emitCRDs writes the definitions of the kinds that the package leads.
func emitCRDs(c *emit.Context) ([]emit.File, error) {
	b, err := newBuilder(c)
	if err != nil {
		return nil, err
	}
	b.checkMarkers(c.Package)
	b.checkGroup(c.Package)
	var files []emit.File
	for _, fam := range families(c.Model, c.Package) {
		crd := b.definition(fam)
		if err := b.check(crd, fam); err != nil {
			return nil, err
		}
		content, err := encode(crd)
		if err != nil {
			return nil, err
		}
		if err := b.checkSize(crd, fam); err != nil {
			return nil, err
		}
		files = append(files, emit.File{
			Name:    crd.Spec.Group + "_" + crd.Spec.Names.Plural + ".yaml",
			Place:   emit.InCRDs,
			Content: content,
		})
	}
	return files, nil
}
