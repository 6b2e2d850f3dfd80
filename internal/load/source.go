package load

import (
	"maps"
	"path"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/diag"
)

// FromSource returns what Load would for a package of one file that exists in
// memory only. Its imports are found among the packages that r has, which must
// be of a build that holds all of them; the go command is not asked again. It is
// for tests that load thousands of packages.
func (r *Result) FromSource(importPath string, content []byte, bag *diag.Bag) *Result {
	out := &Result{
		cfg: r.cfg, fset: r.fset, bag: bag, files: r.files, listing: r.listing, closed: true, roots: map[string]bool{importPath: true},
		meta: r.meta, loaded: maps.Clone(r.loaded), sources: r.sources, unchanged: map[string]bool{}, cyclic: map[string]bool{},
	}
	meta := &packages.Package{PkgPath: importPath, Name: path.Base(importPath), Imports: r.meta}
	p := &Package{
		Path: importPath, Name: meta.Name, Module: importPath, Root: true, Dir: importPath,
		Methods: map[string]map[string]Method{}, Decls: map[string]bool{}, Builders: map[string]string{}, pruned: map[string]bool{},
	}
	out.loaded[importPath] = p
	if f := out.parse(p, path.Join(importPath, "types.go"), content, true); f != nil {
		p.Name = f.Syntax.Name.Name
		p.Files = append(p.Files, f)
	}
	p.Broken = p.found.HasErrors()
	out.check(p, meta)
	out.report(p)
	if !p.found.HasErrors() {
		out.Roots = []*Package{p}
	}
	return out
}

// Forget drops the files of a result of FromSource, whose spans are not to be
// used any more.
func (r *Result) Forget() {
	for path := range r.roots {
		r.drop(r.loaded[path])
	}
}
