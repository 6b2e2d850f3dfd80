package load

import (
	"maps"
	"path"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/diag"
)

// FromSource is like Load for a package of one file in memory. Its imports must be among the
// packages of r's build; it does not call the go command. It is for tests that load thousands of
// packages.
func (r *Result) FromSource(importPath string, content []byte, bag *diag.Bag) *Result {
	out := &Result{
		cfg: r.cfg, fset: r.fset, bag: bag, files: r.files, listing: r.listing, closed: true, roots: map[string]bool{importPath: true},
		meta: r.meta, loaded: maps.Clone(r.loaded), sources: r.sources, unchanged: map[string]bool{}, cyclic: map[string]bool{}, required: map[string][]string{},
	}
	meta := &packages.Package{PkgPath: importPath, Name: path.Base(importPath), Imports: r.meta}
	p := &Package{
		Path: importPath, Name: meta.Name, Module: importPath, Root: true, Dir: importPath, facts: newFacts(), pruned: map[string]bool{},
	}
	out.loaded[importPath] = p
	of := &part{facts: newFacts()}
	if of.file = out.parse(p, of, path.Join(importPath, "types.go"), content, true); of.file != nil {
		p.Name = of.file.Syntax.Name.Name
	}
	p.include(of)
	p.Broken = p.found.HasErrors()
	out.check(p, meta)
	out.report(p)
	if !p.Broken {
		out.Roots = []*Package{p}
	}
	return out
}

// Forget drops the files of a result of FromSource and invalidates its spans.
func (r *Result) Forget() {
	for path := range r.roots {
		for _, f := range r.loaded[path].Files {
			r.drop(f)
		}
	}
}
