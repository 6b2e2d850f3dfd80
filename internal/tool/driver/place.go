package driver

import (
	"cmp"
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
)

// place returns the path of an emitted file. The run's folder is absolute here,
// and so is the path.
func (cfg *Config) place(p *model.Package, f emit.File) string {
	dir := p.Dir
	switch {
	case f.Folder == emit.InCRDs:
		return filepath.Join(cfg.below(cfg.CRDDir), f.Name)
	case f.Folder == emit.InSlimCRDs:
		return filepath.Join(cfg.below(cfg.SlimCRDDir), f.Name)
	case f.Folder == emit.InPolicies:
		return filepath.Join(cfg.below(cfg.PolicyDir), f.Name)
	case f.Folder == emit.InOpenAPI:
		return filepath.Join(cfg.below(cfg.OpenAPIDir), f.Name)
	case f.Folder == emit.AboveCRDs:
		return filepath.Join(filepath.Dir(cfg.below(cfg.CRDDir)), f.Name)
	case f.Folder == emit.InChart:
		return filepath.Join(cfg.below(cfg.ChartDir), f.Name)
	case f.Folder == emit.InOLM:
		return filepath.Join(cfg.below(cfg.OLMDir), f.Name)
	case f.Folder == emit.InWebhooks || f.Folder == emit.InKustomize:
		return filepath.Join(cfg.below(cfg.WebhookDir), f.Name)
	case cfg.GoDir != "":
		return filepath.Join(cfg.below(cfg.GoDir), f.Name)
	case cfg.OutputRoot != "":
		dir = filepath.Join(cfg.below(cfg.OutputRoot), filepath.FromSlash(p.Path))
	}
	if f.Folder == emit.AbovePackage {
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, f.Name)
}

// file returns a file with its display name.
func (cfg *Config) file(path string, content []byte) *File {
	return &File{Path: path, Name: cfg.name(path), Content: content}
}

// below resolves a path in the run's folder.
func (cfg *Config) below(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(cfg.Dir, path)
}

// name returns a path for display, relative to the run's folder if the file is below it.
func (cfg *Config) name(path string) string {
	rel, err := filepath.Rel(cmp.Or(cfg.Base, cfg.Dir), path)
	if err != nil || !filepath.IsLocal(rel) {
		return path
	}
	return filepath.ToSlash(rel)
}
