package driver

import (
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/controllergen"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// isWhole reports whether a run has all packages that the existing file of an emitter for all packages was made
// from. Otherwise the file stays as it is, with a warning: what it has from the other packages would be lost.
func (cfg *Config) isWhole(m *model.Model, path string, bag *diag.Bag) bool {
	content, err := cfg.Files.ReadFile(path)
	if err != nil {
		return true
	}
	for _, from := range signature.Of(path, content).Sources {
		if !cfg.isOver(m, from) {
			bag.Warnf(source.NewFile(cfg.name(path), content).Span(0, 0), codeNotWhole, "the file is made from package %s too, which is not part of the run, so it is not written; name all packages", from)
			return false
		}
	}
	return true
}

// typedWebhooks returns the configurations of the webhooks that markers in the module describe, wherever they are:
// a project has one file for all webhooks.
func (cfg *Config) typedWebhooks(bag *diag.Bag) ([]byte, error) {
	root, ok := cfg.Files.Above(cfg.Dir, "go.mod")
	if !ok {
		root = cfg.Dir
	}
	cfg.openEnded = true
	made, err := controllergen.Generate(controllergen.Config{
		Dir: root, Patterns: []string{"./..."}, BuildTags: cfg.BuildTags, Files: cfg.Files,
	}, []controllergen.Generator{controllergen.Webhooks()}, bag)
	if err != nil {
		return nil, err
	}
	var content []byte
	for _, f := range made {
		if filepath.Ext(f.Name) == ".yaml" {
			content = append(content, document(f.Content)...)
		}
	}
	return content, nil
}
