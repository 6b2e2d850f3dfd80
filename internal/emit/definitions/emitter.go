// Package definitions writes CustomResourceDefinitions.
//
// [Emitter] is called for each kind. Mistakes of users are diagnostics with the codes of codes.go.
//
// It writes one file for each kind, with all versions. Package schema computes the schema of each version; this package
// adds what belongs to the kind, and asks the API server's own code for its opinion:
//
//	family        which packages' types are the versions of one kind
//	definition    schemas and kind markers → CustomResourceDefinition
//	check         the server's own validation, with errors at their source
//	trim          descriptions that are left out to keep it small
//	write         YAML
//
// Package steps decides whether a kind needs a conversion webhook. For --explain-diff, File.Cause finds
// the place of a difference in the schema, and the tags and markers there. differences_test.go lists the intended
// differences from controller-gen.
package definitions

import (
	"crypto/sha256"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
	"github.com/kindsmith/kindsmith/internal/rules/schema"
)

// Emitter returns the emitter of CustomResourceDefinitions.
func Emitter() *emit.Emitter {
	e := &emitter{accepted: map[[sha256.Size]byte]bool{}}
	return &emit.Emitter{
		Name:    "crd",
		Part:    diag.Definitions,
		Summary: "CustomResourceDefinitions, one file a kind with all its versions",
		Folder:  emit.InCRDs,
		Codes:   slices.Concat(schema.Codes(), codes.All()),
		Scope:   emit.PerKind,
		Check:   e.check,
		Emit:    e.emit,
	}
}

// emitter caches the builder of the last package: the kinds of a package share most of their types.
type emitter struct {
	registry *schema.Registry
	builder  *builder
	of       emit.Context
	// accepted are digests of definitions that the server accepts.
	accepted map[[sha256.Size]byte]bool
}

// builder makes the definitions of the kinds of one package.
type builder struct {
	// schemas makes the schemas of their types.
	schemas *schema.Builder
	model   *model.Model
	options emit.CRDs
	// dependencies selects the rules of types in other modules.
	dependencies rule.Policy
	// accepted are digests of definitions that the server accepts.
	accepted map[[sha256.Size]byte]bool
	diags    *diag.Bag
}

func (e *emitter) builderFor(c *emit.Context) (*builder, error) {
	if e.registry == nil {
		var err error
		if e.registry, err = schema.NewRegistry(); err != nil {
			return nil, err
		}
	}
	if e.builder == nil || e.of.Model != c.Model || e.of.Diags != c.Diags || e.of.Package != c.Package {
		e.builder, e.of = e.newBuilder(c), *c
	}
	return e.builder, nil
}

func (e *emitter) newBuilder(c *emit.Context) *builder {
	schemas := schema.New(schema.Config{
		Model: c.Model, Tags: c.Tags, Rules: c.Rules, Registry: e.registry, Diags: c.Diags, Options: c.Options.CRDs.Options,
		ProjectionOf: c.ProjectionOf, Dependencies: c.Options.Dependencies, Ours: c.Ours,
	})
	return &builder{
		schemas: schemas, model: c.Model, options: c.Options.CRDs, dependencies: c.Options.Dependencies, accepted: e.accepted, diags: c.Diags,
	}
}

// check reports mistakes in the markers of a package.
func (e *emitter) check(c *emit.Context) {
	if b, err := e.builderFor(c); err == nil { // else emit returns it
		b.schemas.CheckMarkers(c.Package)
		for _, t := range c.Package.Types {
			b.checkKind(t, b.schemas.MarkersOf(t))
		}
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
	defer b.schemas.Report()
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
