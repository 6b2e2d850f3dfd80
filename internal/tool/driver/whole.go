package driver

import (
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
)

// isWhole reports whether a run has all packages that the existing file of an emitter for all packages was made
// from. Otherwise the file stays as it is, with a warning: what it has from the other packages would be lost.
func (cfg *Config) isWhole(m *model.Model, name string, bag *diag.Bag) bool {
	content, err := cfg.Files.ReadFile(name)
	if err != nil {
		return true
	}
	for _, from := range provenance.Of(name, content).Sources {
		if !cfg.isOver(m, from) {
			bag.Warnf(source.NewFile(cfg.name(name), content).Span(0, 0), codeNotWhole, "the file is made from package %s too, which is not part of the run, so it is not written; name all packages", from)
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

// goPackage returns the Go package in a folder of a main module, which need not exist.
func (cfg *Config) goPackage(dir string, m *model.Model) *emit.GoPackage {
	for _, p := range m.Packages {
		if p.Dir == dir {
			return &emit.GoPackage{Path: p.Path, Name: p.Name}
		}
	}
	p := &emit.GoPackage{Path: filepath.Base(dir), Name: strings.ToLower(notInNames.ReplaceAllString(filepath.Base(dir), ""))}
	if !token.IsIdentifier(p.Name) {
		p.Name = "openapi"
	}
	if root, ok := cfg.Files.Above(dir, "go.mod"); ok {
		content, err := cfg.Files.ReadFile(filepath.Join(root, "go.mod"))
		rel, relErr := filepath.Rel(root, dir)
		if err == nil && relErr == nil {
			p.Path = path.Join(modfile.ModulePath(content), filepath.ToSlash(rel))
		}
	}
	return p
}

// notInNames are the characters that names of packages do not have.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]`)
