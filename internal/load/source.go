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
		cfg: r.cfg, fset: r.fset, bag: bag, closed: true, roots: map[string]bool{importPath: true},
		meta: r.meta, loaded: maps.Clone(r.loaded), sources: r.sources,
	}
	meta := &packages.Package{PkgPath: importPath, Name: path.Base(importPath), Imports: r.meta}
	p := &Package{
		Path: importPath, Name: meta.Name, Module: importPath, Root: true, Dir: importPath,
		Methods: map[string]map[string]Method{}, Decls: map[string]bool{},
	}
	out.loaded[importPath] = p
	if f := out.parse(p, path.Join(importPath, "types.go"), content, true); f != nil {
		p.Name = f.Syntax.Name.Name
		p.Files = append(p.Files, f)
	}
	out.check(p, meta)
	out.Roots = []*Package{p}
	return out
}

// Forget drops the files of a result of FromSource, whose spans are not to be
// used any more.
func (r *Result) Forget() {
	for _, p := range r.Roots {
		for _, f := range p.Files {
			if tf := r.fset.File(f.Syntax.FileStart); tf != nil {
				delete(r.sources, tf)
				r.fset.RemoveFile(tf)
			}
		}
	}
}
