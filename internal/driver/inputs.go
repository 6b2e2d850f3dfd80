package driver

import (
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/cache"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/load"
	"github.com/kindsmith/kindsmith/internal/model"
)

// Environment returns what a run depends on beside its configuration and inputs;
// false if there may be more.
func Environment() ([]string, bool) { return load.Environment() }

// inputs returns the places that a run depended on, nil if there may be others.
func (cfg *Config) inputs(res *load.Result, m *model.Model, files []*File, bag *diag.Bag) *cache.Inputs {
	missed := slices.ContainsFunc(bag.All(), func(d *diag.Diagnostic) bool { return slices.Contains(load.Codes(), d.Code) })
	if _, ok := Environment(); !ok || missed {
		return nil
	}
	in := &cache.Inputs{Folders: res.Folders(), Trees: res.Trees(), Files: res.ModuleFiles()}
	for _, p := range m.Packages {
		if p.Root {
			// Versions that nobody has asked for, and lists of what differs
			// between versions, are beside the package.
			in.Folders = append(in.Folders, p.Dir, filepath.Dir(p.Dir), filepath.Dir(cfg.place(p, emit.File{})))
		}
	}
	for _, f := range files {
		in.Folders = append(in.Folders, filepath.Dir(f.Path))
	}
	slices.Sort(in.Folders)
	in.Folders = slices.Compact(in.Folders)
	return in
}
