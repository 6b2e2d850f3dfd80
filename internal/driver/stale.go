package driver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/model"
)

// stale returns the generated files of earlier runs whose reason is gone, such
// as the validators of a package that has no rules any more. Only files that
// kindsmith wrote, of emitters that ran, count.
func stale(cfg Config, m *model.Model, selected []*emit.Emitter, files []*File, bag *diag.Bag) ([]*File, error) {
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
				content, err := os.ReadFile(path)
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					return nil, err
				}
				if load.IsGenerated(content) {
					f := cfg.file(path, nil)
					f.Previous = content
					own = append(own, f)
				}
			}
		}
		if len(own) > 0 && sourceMissing(m, p) {
			bag.Warnf(p.Span, "driver/no-source", "all of package %s is generated, and the package that it is generated from was not asked for; name both, or ./...", p.Path)
			continue
		}
		gone = append(gone, own...)
	}
	return gone, nil
}

// sourceMissing reports whether the package is an older version whose newest
// version is not part of the run: without it nobody can say what is stale.
func sourceMissing(m *model.Model, p *model.Package) bool {
	if p.Generated || p.Version == "" || len(p.Decls) > 0 {
		return false
	}
	for _, q := range m.Packages {
		if q != p && q.Root && q.Version != "" && len(q.Decls) > 0 && filepath.Dir(q.Dir) == filepath.Dir(p.Dir) {
			return false
		}
	}
	return true
}
