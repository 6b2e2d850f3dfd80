package driver

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/versions"
)

// stale returns the generated files of earlier runs that are no longer needed, such as the
// validators of a package that no longer has rules. It returns only files that kindsmith wrote, of
// emitters that ran.
func stale(cfg Config, m *model.Model, selected []*emit.Emitter, files []*File, writable *territory, bag *diag.Bag) ([]*File, error) {
	written := map[string]bool{}
	for _, f := range files {
		written[f.Path] = true
	}
	var gone []*File
	for _, p := range m.Packages {
		if !p.Named() && (!p.Companion || p.Generated || !allGenerated(p)) || cfg.GoDir != "" {
			continue // one folder for all packages does not say whose its files are
		}
		var own []*File
		for _, e := range selected {
			for _, name := range e.Files {
				path := cfg.place(p, emit.File{Name: name, Folder: e.Folder})
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
				if by := provenance.Of(name, content); by.Ours && len(by.Sources) == 0 && writable.has(p, path) {
					f := cfg.file(path, nil)
					f.Previous, f.by, f.pkg = content, e.Name, p
					own = append(own, f)
				}
			}
		}
		if !p.Named() {
			if isLeft(m, own) {
				gone = append(gone, own...)
			}
			continue
		}
		if p.Generated || !allGenerated(p) || cfg.sourceIsHere(m, p, own) {
			gone = append(gone, own...)
			continue
		}
		if slices.ContainsFunc(own, func(f *File) bool { return filepath.Base(f.Path) == versions.FileName }) {
			bag.Warnf(source.Span{}, codeNoSource, "package %s is generated from a package that is not part of the run; name both, or use ./...", p.Path)
		}
	}
	manifests, err := staleManifests(cfg, m, selected, written)
	return append(gone, manifests...), err
}

// staleManifests returns the manifests that earlier runs have made from packages that
// are in the run or are gone.
func staleManifests(cfg Config, m *model.Model, selected []*emit.Emitter, written map[string]bool) ([]*File, error) {
	var paths []string
	// add adds the files of folders that an emitter owns.
	add := func(owns func(name string) bool, dirs ...string) {
		for _, dir := range dirs {
			if dir == "" {
				continue
			}
			names, _ := cfg.Files.List(source.Manifests, cfg.below(dir))
			for _, name := range names {
				if owns == nil || owns(name) {
					paths = append(paths, filepath.Join(cfg.below(dir), name))
				}
			}
		}
	}
	for _, e := range selected {
		switch e.Folder {
		case emit.InCRDs:
			add(e.Owns, cfg.CRDDir, cfg.SlimCRDDir)
		case emit.InPolicies:
			add(e.Owns, cfg.PolicyDir)
		case emit.InWebhooks:
			add(e.Owns, cfg.WebhookDir)
		case emit.InKustomize:
			add(e.Owns, cfg.foldersOf(cfg.WebhookDir)...)
			add(func(name string) bool { return name == "kustomization.yaml" }, filepath.Dir(cfg.below(cfg.CRDDir)), cfg.PolicyDir)
		case emit.InChart:
			add(e.Owns, cfg.foldersOf(cfg.ChartDir)...)
		case emit.InOLM:
			add(e.Owns, cfg.OLMDir)
		}
	}
	slices.Sort(paths)
	var gone []*File
	for _, path := range slices.Compact(paths) {
		if written[path] {
			continue
		}
		content, err := cfg.Files.ReadFile(path)
		if err != nil {
			return nil, err
		}
		from := provenance.Of(path, content).Sources
		if len(from) == 0 || slices.ContainsFunc(from, func(p string) bool { return !cfg.isOver(m, p) }) {
			continue
		}
		f := cfg.file(path, nil)
		f.Previous, f.manifest = content, filepath.Dir(path) == cfg.below(cfg.CRDDir)
		gone = append(gone, f)
	}
	return gone, nil
}

// isOver reports whether nothing is made from a package any more that this run does not
// make: it is in the run, or it is a package of a main module that has no files left.
func (cfg *Config) isOver(m *model.Model, path string) bool {
	if p := m.Package(path); p != nil && p.Root {
		return true
	}
	for _, p := range m.Packages {
		rest, ok := strings.CutPrefix(path, p.Module)
		if !p.Root || p.External || p.Module == "" || !ok || rest != "" && rest[0] != '/' {
			continue
		}
		root, ok := cfg.Files.Above(p.Dir, "go.mod")
		if !ok {
			continue
		}
		dir := filepath.Join(root, filepath.FromSlash(rest))
		names, _ := cfg.Files.List(source.GoFiles, dir)
		return !slices.ContainsFunc(names, func(name string) bool {
			content, err := cfg.Files.ReadFile(filepath.Join(dir, name))
			return err != nil || !provenance.Of(name, content).Ours
		})
	}
	return false
}

// allGenerated reports whether the package has no hand-written files: it is an older version, or
// the output of a run with an output root.
func allGenerated(p *model.Package) bool { return p.Span.IsZero() }

// isLeft reports whether the files of a package that no pattern names convert to a newest version that a pattern
// names, and that now has this older version in another folder or not at all.
func isLeft(m *model.Model, files []*File) bool {
	return slices.ContainsFunc(files, func(f *File) bool {
		return slices.ContainsFunc(imported(f.Path, f.Previous), func(path string) bool {
			hub := m.Package(path)
			return hub != nil && hub.Named() && len(hub.Versions) > 0
		})
	})
}

// sourceIsHere reports whether the run has the package that an older version was generated from, or whether that is
// gone: it is beside the version, or its files import it. If not, its stale files are unknown.
func (cfg *Config) sourceIsHere(m *model.Model, p *model.Package, files []*File) bool {
	isSource := func(q *model.Package) bool { return q != p && q.Root && q.Version != "" && !allGenerated(q) }
	return slices.ContainsFunc(m.Packages, func(q *model.Package) bool { return isSource(q) && p.Beside(q) }) ||
		slices.ContainsFunc(files, func(f *File) bool {
			return slices.ContainsFunc(imported(f.Path, f.Previous), func(path string) bool {
				q := m.Package(path)
				if q != nil && (!allGenerated(q) || q.Generated || q.Module != p.Module) {
					return isSource(q) && len(q.Versions) > 0
				}
				return path != p.Path && cfg.isOver(m, path)
			})
		})
}
