package driver

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// checkOwners reports the files that are not kindsmith's to overwrite: those that a
// person wrote, and those of other generators, unless the run replaces these or writes nothing.
func (cfg *Config) checkOwners(files []*File, bag *diag.Bag) {
	others := map[string][]*File{}
	for _, f := range files {
		if f.Previous == nil || f.patched {
			continue
		}
		switch by := provenance.Of(f.Path, f.Previous); {
		case by.Ours, bytes.Equal(provenance.WithoutHeader(f.Content), source.LF(f.Previous)):
		case by.ByHand():
			bag.Errorf(f.start(), codeHandWritten, "kindsmith did not write this file, so it does not overwrite it; rename or remove it")
		case !cfg.Replace && !cfg.Explain && !cfg.silent:
			others[by.Generator] = append(others[by.Generator], f)
		}
	}
	for _, generator := range slices.Sorted(maps.Keys(others)) {
		list := others[generator]
		d := bag.Errorf(list[0].start(), codeOtherGenerator,
			"%s wrote this file, so kindsmith does not overwrite it; if kindsmith is to write it from now on, run once with --replace, else leave out this part with --only", generator)
		for _, f := range list[1:] {
			d.Note(f.start(), "and this one")
		}
	}
}

// start is where a file that was there before the run begins.
func (f *File) start() source.Span { return source.NewFile(f.Name, f.Previous).Span(0, 0) }

// territory knows which folders a run may write into: those of the main modules.
type territory struct {
	cfg   *Config
	model *model.Model
	// outside are the packages that files were to be written for and that are in no main
	// module, by module; elsewhere are paths that lead out of their package's module.
	outside   map[string][]string
	elsewhere []string
}

// has reports whether a file of a package may be written. If not, report says so.
func (t *territory) has(p *model.Package, path string) bool {
	if t.cfg.OutputRoot != "" || t.cfg.GoDir != "" {
		return true // the user says where
	}
	home := p
	if hub := t.model.Package(p.Hub); p.Generated && hub != nil {
		home = hub
	}
	switch root, ok := t.cfg.Files.Above(home.Dir, "go.mod"); {
	case home.External, home.Module == "" && !isBelow(t.cfg.Dir, home.Dir):
		if !slices.Contains(t.outside[home.Module], home.Path) {
			t.outside[home.Module] = append(t.outside[home.Module], home.Path)
		}
		return false
	case ok:
		target, _ := t.cfg.Files.Above(filepath.Dir(source.Resolve(path)), "go.mod")
		if target != source.Resolve(root) {
			t.elsewhere = append(t.elsewhere, path)
			return false
		}
	}
	return true
}

func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// report reports what may not be written.
func (t *territory) report(bag *diag.Bag) {
	for _, module := range slices.Sorted(maps.Keys(t.outside)) {
		paths := t.outside[module]
		name := "package " + paths[0]
		if len(paths) > 1 {
			name = strconv.Itoa(len(paths)) + " packages, such as " + paths[0]
		}
		in := "module " + module
		if module == "" {
			in = "the standard library"
		}
		bag.Errorf(source.Span{}, codeOutside, "%s: in %s, which is only a dependency here, so nothing is written there; --output-root <dir> writes Go files below a folder of yours", name, in)
	}
	for _, path := range t.elsewhere {
		bag.Errorf(source.Span{}, codeOutside, "%s is not in the module of its package, so it is not written; move the package, or write below a folder of yours with --output-root <dir>", t.cfg.name(path))
	}
}

// sources are the packages that a manifest is made from.
func sources(c *emit.Context, f emit.File) []string {
	if c.Kind == nil {
		return f.Sources
	}
	var paths []string
	for _, v := range c.Kind.Versions {
		if path := v.Package.Path; !v.Package.Generated && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}
