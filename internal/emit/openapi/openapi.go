// Package openapi emits zz_generated.openapi.go, the OpenAPI definitions of a package's types in the
// shape of k8s.io/kube-openapi, for API servers. It runs on request, and for packages that already
// have the file.
package openapi

import (
	"errors"
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/model"
)

// FileName is the name of the file in each package; modelNameFile has the methods that name
// definitions, as written by openapi-gen.
const (
	FileName      = "zz_generated.openapi.go"
	modelNameFile = "zz_generated.model_name.go"
)

// Emitter returns the emitter.
func Emitter() *emit.Emitter {
	return &emit.Emitter{
		Name:     "openapi",
		Part:     diag.OpenAPI,
		Summary:  "zz_generated.openapi.go, the OpenAPI definitions that aggregated API servers publish (with --openapi, or if the file exists)",
		Files:    []string{FileName, modelNameFile},
		Optional: true,
		Codes:    codes.All(),
		Emit:     write,
	}
}

// write writes the file of one package: its definitions, and those of all types that these refer to.
func write(c *emit.Context) ([]emit.File, error) {
	b := &builder{c: c, m: c.Model, done: map[model.Name]bool{}}
	for _, t := range c.Package.Types {
		if wanted(c.Package, t) {
			b.want(t)
		}
	}
	var all []*definition
	for len(b.queue) > 0 {
		t := b.queue[0]
		b.queue = b.queue[1:]
		all = append(all, b.define(t))
	}
	if len(all) == 0 || b.failed {
		return nil, nil
	}
	slices.SortFunc(all, func(x, y *definition) int { return compareNames(x.typ.ID(), y.typ.ID()) })
	var files []emit.File
	add := func(name string, print func(*printer)) error {
		p := &printer{f: c.NewFile(), b: b, funcs: map[model.Name]string{}}
		if print(p); p.f.Empty() {
			return nil
		}
		content, err := p.f.Bytes()
		files = append(files, emit.File{Name: name, Content: content})
		return err
	}
	return files, errors.Join(
		add(FileName, func(p *printer) { p.file(all) }),
		add(modelNameFile, func(p *printer) { p.modelNames(all) }),
	)
}

// wanted reports whether a package publishes a type regardless of its uses: a kind, or a type that
// openapi-gen's marker selects.
func wanted(p *model.Package, t *model.Type) bool {
	if t.Generic || t.Alias {
		return false
	}
	switch selected(t.Markers) {
	case no:
		return false
	case yes:
		return true
	}
	return t.Kind != nil || isExported(t) && selected(p.Markers) == yes
}
