package driver

import (
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/spell"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/front/load"
)

// selects reports whether a run includes an emitter.
func (cfg *Config) selects(name string) bool {
	return (len(cfg.Only) == 0 || slices.Contains(cfg.Only, name) || slices.Contains(cfg.With, name)) && !slices.Contains(cfg.Skip, name)
}

// omits reports whether the settings say that an emitter has no folder to write to.
func (cfg *Config) omits(e *emit.Emitter) bool {
	switch e.Folder {
	case emit.InPolicies:
		return cfg.PolicyDir == ""
	case emit.InWebhooks:
		return cfg.WebhookDir == ""
	case emit.InKustomize:
		return !cfg.kustomizes()
	case emit.InChart:
		return cfg.ChartDir == ""
	case emit.InOLM:
		return cfg.OLMDir == ""
	}
	return false
}

// selected returns the emitters to run.
func (cfg *Config) selected(all []*emit.Emitter) ([]*emit.Emitter, error) {
	var selected []*emit.Emitter
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		requested := slices.Contains(cfg.Only, e.Name) || slices.Contains(cfg.With, e.Name)
		if cfg.selects(e.Name) && (requested || !slices.Contains(cfg.Skip, e.Calls)) {
			selected = append(selected, e)
		}
	}
	for _, name := range slices.Concat(cfg.Only, cfg.With, cfg.Skip) {
		if !slices.Contains(names, name) {
			return nil, spell.Unknown("part", name, names)
		}
	}
	return selected, nil
}

// wants reports whether a selected emitter runs for a package. Optional emitters update their
// existing files.
func (cfg *Config) wants(e *emit.Emitter, p *model.Package) bool {
	if !e.Optional || slices.Contains(cfg.Only, e.Name) || slices.Contains(cfg.With, e.Name) {
		return true
	}
	return cfg.has(e, p)
}

// keptFiles are the names of files that emitters leave to other generators.
func keptFiles(emitters []*emit.Emitter) []string {
	var names []string
	for _, e := range emitters {
		if e.Yields {
			names = append(names, e.Files...)
		}
	}
	return names
}

// keptNames returns the exported names that the Go files of emitters that do not run declare in the package.
func (cfg *Config) keptNames(p *model.Package, all, selected []*emit.Emitter) map[string]bool {
	names := map[string]bool{}
	for _, e := range all {
		if slices.Contains(selected, e) || e.Folder != emit.InPackage {
			continue
		}
		for _, name := range e.Files {
			content, err := cfg.Files.ReadFile(cfg.place(p, emit.File{Name: name, Folder: e.Folder}))
			if err != nil || strings.HasSuffix(name, "_test.go") || !provenance.Of(name, content).Ours {
				continue
			}
			for _, n := range load.Declared(content) {
				names[n] = true
			}
		}
	}
	return names
}
