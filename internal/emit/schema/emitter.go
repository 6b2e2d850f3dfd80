// Package schema writes CustomResourceDefinitions.
//
// It writes one file for each kind, with all versions. Go types map to schemas like in
// controller-gen, so that a kubebuilder project keeps its schemas; tags, enum constants and
// defaults are added. differences_test.go lists the intended differences.
//
// The stages are
//
//	family which packages' types are the versions of one kind
//	builder    type → schema: shapes, structs, markers, tags, enums, defaults
//	crd        schemas and kind markers → CustomResourceDefinition
//	check the server's own validation, with errors at their source
//	write      YAML
//
// Package wiretable decides whether a kind needs a conversion webhook. For --explain-diff, File.Cause finds
// the place of a difference in the schema, and the tags and markers there.
package schema

import (
	"crypto/sha256"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Emitter returns the emitter of CustomResourceDefinitions.
func Emitter() *emit.Emitter {
	e := &emitter{accepted: map[[sha256.Size]byte]bool{}}
	return &emit.Emitter{
		Name:    "crd",
		Part:    diag.Definitions,
		Summary: "CustomResourceDefinitions, one file a kind with all its versions",
		Folder:  emit.InCRDs,
		Codes:   codes.All(),
		Scope:   emit.PerKind,
		Check:   e.check,
		Emit:    e.emit,
	}
}

// emitter caches the builder of the last package: the kinds of a package share most of their types.
type emitter struct {
	registry *registry
	builder  *builder
	of       emit.Context
	// accepted are digests of definitions that the server accepts.
	accepted map[[sha256.Size]byte]bool
}

func (e *emitter) builderFor(c *emit.Context) (*builder, error) {
	if e.registry == nil {
		var err error
		if e.registry, err = newRegistry(); err != nil {
			return nil, err
		}
	}
	if e.builder == nil || e.of.Model != c.Model || e.of.Diags != c.Diags || e.of.Package != c.Package {
		e.builder, e.of = newBuilder(c, e.registry), *c
		e.builder.accepted = e.accepted
	}
	return e.builder, nil
}

// check reports mistakes in the markers of a package.
func (e *emitter) check(c *emit.Context) {
	if b, err := e.builderFor(c); err == nil { // else emit returns it
		b.checkMarkers(c.Package)
		b.checkGroup(c.Package)
	}
}

// emit writes the definition of a kind.
func (e *emitter) emit(c *emit.Context) ([]emit.File, error) {
	fam := familyOf(c.Kind)
	if len(fam.versions) == 0 {
		return nil, nil
	}
	b, err := e.builderFor(c)
	if err != nil {
		return nil, err
	}
	defer func() { b.older.MoveTo(b.all, model.CompareVersions) }()
	if !b.distinct(fam) || !b.fits(fam) {
		return nil, nil
	}
	crd := b.definition(fam)
	note := conversion(c, crd, fam)
	limitDescriptions(crd, b.options.MaxDescription)
	b.separate(crd)
	if err := b.check(crd, fam); err != nil {
		return nil, err
	}
	if b.options.WithoutRules {
		withoutRules(crd)
	}
	file := emit.File{Name: crd.Spec.Group + "_" + crd.Spec.Names.Plural + ".yaml", Folder: emit.InCRDs, Note: note}
	file.Cause = explain(b, crd, fam, b.options.MaxSize > 0)
	var files []emit.File
	if b.options.Slim {
		if file.Content, err = encode(crd, b.options.PreserveUnknownFields); err != nil {
			return nil, err
		}
		complete := file
		complete.Cause = explain(b, crd.DeepCopy(), fam, false)
		files = append(files, complete)
		file.Folder, file.Note, file.Cause = emit.InSlimCRDs, "", explain(b, crd, fam, true)
	}
	// This is the definition that clusters get.
	if err := b.trim(crd); err != nil {
		return nil, err
	}
	if err := b.checkSize(crd, fam); err != nil {
		return nil, err
	}
	file.Content, err = encode(crd, b.options.PreserveUnknownFields)
	return append(files, file), err
}
