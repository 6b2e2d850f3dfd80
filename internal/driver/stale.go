package driver

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/versions"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// stale returns the generated files of earlier runs whose reason is gone, such
// as the validators of a package that has no rules any more. Only files that
// kindsmith wrote, of emitters that ran, count.
func stale(cfg Config, m *model.Model, selected []*emit.Emitter, files []*File, writable *territory, bag *diag.Bag) ([]*File, error) {
	written := map[string]bool{}
	for _, f := range files {
		written[f.Path] = true
	}
	var gone []*File
	for _, p := range m.Packages {
		if !p.Root {
			continue
		}
		var own []*File
		for _, e := range selected {
			for _, name := range e.Files {
				path := cfg.place(p, emit.File{Name: name})
				if written[path] {
					continue
				}
				content, err := cfg.Files.ReadFile(path)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					return nil, err
				}
				if signature.Of(name, content).Ours && writable.has(p, path) {
					f := cfg.file(path, nil)
					f.Previous = content
					own = append(own, f)
				}
			}
		}
		if p.Generated || !allGenerated(p) || sourceIsHere(m, p) {
			gone = append(gone, own...)
			continue
		}
		if slices.ContainsFunc(own, func(f *File) bool { return filepath.Base(f.Path) == versions.FileName }) {
			bag.Warnf(source.Span{}, codeNoSource, "package %s is generated from a package that is not part of the run; name both, or use ./...", p.Path)
		}
	}
	return gone, nil
}

// allGenerated reports whether the package has no hand-written files: it is an older version, or
// the output of a run with an output root.
func allGenerated(p *model.Package) bool { return p.Span.IsZero() }

// sourceIsHere reports whether the run has the package that an older version is generated from. If
// not, its stale files are unknown.
func sourceIsHere(m *model.Model, p *model.Package) bool {
	return slices.ContainsFunc(m.Packages, func(q *model.Package) bool {
		return q != p && q.Root && q.Version != "" && !allGenerated(q) && filepath.Dir(q.Dir) == filepath.Dir(p.Dir)
	})
}
