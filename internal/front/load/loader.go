package load

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Loader loads packages repeatedly. It calls the go command only if its inputs changed, and keeps
// unchanged packages. The results equal those of Load. It keeps the packages of one configuration.
// A load invalidates earlier results.
type Loader struct{ last *Result }

// Load loads the packages that the patterns name.
func (l *Loader) Load(cfg Config, bag *diag.Bag) (*Result, error) {
	if cfg.Files == nil {
		cfg.Files = source.NewFS(nil)
	}
	var err error
	if cfg.Dir, err = filepath.Abs(cfg.Dir); err != nil {
		return nil, err
	}
	r := &Result{
		cfg: cfg, bag: bag, files: cfg.Files, listing: cfg.Files.Tee(),
		roots: map[string]bool{}, beside: map[string]bool{}, lists: map[string][]*packages.Package{}, meta: map[string]*packages.Package{},
		fset: token.NewFileSet(), sources: map[*token.File]*source.File{},
		loaded: map[string]*Package{}, unchanged: map[string]bool{}, cyclic: map[string]bool{}, required: map[string][]string{},
	}
	if l.last != nil && cfg.key() == l.last.cfg.key() {
		r.resume(l.last)
	}
	if err := r.run(); err != nil {
		return nil, err
	}
	switch {
	case len(r.lists) == 0: // the go command failed: keep the old packages for later
	case len(r.cyclic) > 0:
		l.last = nil // the go command returns a graph without cycles, which is incomplete
	default:
		l.last = r
	}
	return r, nil
}

// key identifies a configuration.
func (c Config) key() string {
	return fmt.Sprintf("%q %q %q %t %t %t %q %q %q %q %q", c.Dir, c.Base, c.Patterns, c.Nested, c.Others, c.Descriptions, c.ReadOnly, c.Complete, c.BuildTags, c.Kept, c.VersionsDir)
}

// resume reuses the results of an earlier load that are still valid.
func (r *Result) resume(last *Result) {
	last.forget()
	r.fset, r.sources, r.old = last.fset, last.sources, last.loaded
	if listed := last.listing.Record(); listed.Same(r.files.Unrecorded()) {
		listed.Same(r.listing) // which records it
		r.lists, r.meta = last.lists, last.meta
	}
}

// forget drops the files of old packages that this load did not reuse.
func (r *Result) forget() {
	for path, p := range r.old {
		now := r.loaded[path]
		for _, f := range p.Files {
			if now != p && (now == nil || !slices.Contains(now.Files, f)) {
				r.drop(f)
			}
		}
	}
	r.old = nil
}

func (r *Result) drop(f *File) {
	if tf := r.fset.File(f.Syntax.FileStart); tf != nil {
		delete(r.sources, tf)
		r.fset.RemoveFile(tf)
	}
}

// isUnchanged reports whether a package was loaded before, and neither it nor any
// package that its types were checked with has changed.
func (r *Result) isUnchanged(meta *packages.Package) bool {
	p := r.old[meta.PkgPath]
	if p == nil {
		return false
	}
	if same, known := r.unchanged[p.Path]; known {
		return same
	}
	same := p.listed == r.describe(meta) && r.filesUnchanged(p)
	for _, path := range p.deps {
		dep := r.meta[path]
		same = same && dep != nil && r.isUnchanged(dep)
	}
	r.unchanged[p.Path] = same
	return same
}

func (r *Result) filesUnchanged(p *Package) bool {
	files := r.files.Unrecorded()
	for name, state := range p.states {
		if files.Digest(name) != state {
			return false
		}
	}
	return true
}

// keepSyntax reuses the syntax of a package and reports whether it could. If only dependencies
// changed, the package must be type-checked again but not parsed.
func (r *Result) keepSyntax(p *Package) bool {
	old := r.old[p.Path]
	if old == nil || r.fresh[p.Path] || !old.parsed || old.listed != p.listed || !r.filesUnchanged(old) {
		return false
	}
	p.Files, p.facts, p.parts, p.mixed = old.Files, old.facts, old.parts, old.mixed
	p.states, p.parsed, p.pruned = old.states, old.parsed, old.pruned
	r.recordFiles(p)
	return true
}

// recordFiles records the files of a package that was not read again.
func (r *Result) recordFiles(p *Package) {
	for name := range p.states {
		r.files.Digest(name)
	}
}

// keep reuses a package and its dependencies.
func (r *Result) keep(p *Package) *Package {
	r.loaded[p.Path] = p
	r.recordFiles(p)
	for _, path := range p.deps {
		r.load(r.meta[path])
	}
	r.report(p)
	return p
}

// describe returns the parts of the go command's answer that a package's syntax and types depend
// on.
func (r *Result) describe(meta *packages.Package) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %t %q\n", meta.Name, r.roots[meta.PkgPath] || r.beside[meta.PkgPath], meta.GoFiles)
	if m := meta.Module; m != nil {
		fmt.Fprintln(&b, m.Path, m.Version, m.Dir, m.GoMod, m.Main, mayChange(m))
	}
	var imports []string
	for path, imp := range meta.Imports {
		imports = append(imports, fmt.Sprintln(path, imp.PkgPath, imp.Name, len(imp.GoFiles) > 0, imp.Errors))
	}
	slices.Sort(imports)
	return b.String() + strings.Join(imports, "")
}
