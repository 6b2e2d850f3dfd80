// Package openapi emits zz_generated.openapi.go, the OpenAPI definitions of a package's types in the
// shape of k8s.io/kube-openapi, for API servers. It runs on request, and for packages that already
// have the file.
//
// [Emitter] is called for each package. Mistakes of users are diagnostics with the codes of codes.go.
package openapi

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/rules/rule"
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
		Once:     writeAll,
	}
}

// Machinery are the packages whose types every API server publishes, such as DeleteOptions and Status.
func Machinery() []string {
	return []string{"k8s.io/apimachinery/pkg/apis/meta/v1", "k8s.io/apimachinery/pkg/runtime", "k8s.io/apimachinery/pkg/version"}
}

// write writes the files of one package: its definitions, and those of all types that these refer to. If a package
// for all definitions is asked for, only the names of definitions are in the package of the types.
func write(c *emit.Context) ([]emit.File, error) {
	b, all := definitions(c, c.Package)
	if len(all) == 0 || b.failed {
		return nil, nil
	}
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
	var err error
	if c.Options.OpenAPI == nil {
		b.sayUnsaid(c.Package)
		err = add(FileName, func(p *printer) { p.file(all, "the package's types") })
	}
	err = errors.Join(err, add(modelNameFile, func(p *printer) { p.modelNames(all) }))
	return files, err
}

// writeAll writes the file with the definitions of all packages of the run, and of API machinery, if it is asked for.
func writeAll(c *emit.Context) ([]emit.File, error) {
	to := c.Options.OpenAPI
	if to == nil {
		return nil, nil
	}
	var packages []*model.Package
	var sources []string
	for _, p := range c.Model.Packages {
		if p.Named() && p.Path != to.Path || slices.Contains(Machinery(), p.Path) {
			packages = append(packages, p)
		}
		if p.Named() && !p.Generated && slices.ContainsFunc(p.Types, func(t *model.Type) bool { return wanted(p, t) }) {
			sources = append(sources, p.Path)
		}
	}
	of := *c
	of.Package = &model.Package{Path: to.Path, Name: to.Name, Decls: map[string]bool{}}
	b, all := definitions(&of, packages...)
	if len(sources) == 0 || b.failed {
		return nil, nil
	}
	for _, p := range packages {
		b.sayUnsaid(p)
	}
	slices.Sort(sources)
	p := &printer{f: of.NewFile(), b: b, funcs: map[model.Name]string{}}
	p.f.SetDoc("Package " + to.Name + " has the OpenAPI definitions of an API server.")
	p.f.SetSources(sources)
	p.file(all, "the types of the API and of API machinery")
	content, err := p.f.Bytes()
	return []emit.File{{Name: FileName, Folder: emit.InOpenAPI, Content: content, Sources: sources}}, err
}

// definitions returns the definitions of the types that packages publish, and of all types that these refer to.
func definitions(c *emit.Context, packages ...*model.Package) (*builder, []*definition) {
	b := &builder{c: c, m: c.Model, done: map[model.Name]bool{}, unsaid: map[string][]rule.Rule{}}
	for _, p := range packages {
		for _, t := range p.Types {
			if wanted(p, t) {
				b.want(t)
			}
		}
	}
	var all []*definition
	for len(b.queue) > 0 {
		t := b.queue[0]
		b.queue = b.queue[1:]
		all = append(all, b.define(t))
	}
	slices.SortFunc(all, func(x, y *definition) int { return compareNames(x.typ.ID(), y.typ.ID()) })
	return b, all
}

// sayUnsaid adds a hint about the rules of a package that definitions do not have. Generated packages have the rules of their source.
func (b *builder) sayUnsaid(p *model.Package) {
	list := b.unsaid[p.Path]
	if len(list) == 0 || p.Generated || !p.Named() {
		return
	}
	first := slices.MinFunc(list, func(x, y rule.Rule) int {
		return cmp.Or(strings.Compare(x.Span.File.Path, y.Span.File.Path), x.Span.Start-y.Span.Start)
	})
	seen := map[source.Span]bool{}
	for _, r := range list {
		seen[r.Span] = true
	}
	more, them := "", "it"
	if n := len(seen) - 1; n > 0 {
		more, them = fmt.Sprintf(", and %d more rules of this package", n), "them"
	}
	b.c.Diags.Hintf(first.Span, codeNoKeyword, "definitions do not have %s%s, because OpenAPI has no keyword for %s; tell clients in the comments of your fields", first.Text, more, them)
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
