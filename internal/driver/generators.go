package driver

import (
	"path/filepath"

	"github.com/kindsmith/kindsmith/internal/controllergen"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/signature"
)

// Generator is a generator of controller-gen.
type Generator struct {
	controllergen.Generator
	// Dir is the folder for its manifests.
	Dir string
	// Heading is at the top of its manifests.
	Heading Heading
}

// runGenerators runs generators of controller-gen and returns their files.
func (cfg *Config) runGenerators(bag *diag.Bag) ([]*File, error) {
	if len(cfg.Generators) == 0 {
		return nil, nil
	}
	cfg.stage("running controller-gen's generators")
	byName := map[string]Generator{}
	list := make([]controllergen.Generator, len(cfg.Generators))
	for i, g := range cfg.Generators {
		list[i], byName[g.Name] = g.Generator, g
	}
	made, err := controllergen.Generate(controllergen.Config{
		Dir: cfg.Dir, Patterns: cfg.Patterns, BuildTags: cfg.BuildTags, Files: cfg.Files,
	}, list, bag)
	if err != nil {
		return nil, err
	}
	files := make([]*File, len(made))
	for i, f := range made {
		g := byName[f.Generator]
		file := cfg.file(filepath.Join(cfg.below(g.Dir), f.Name), g.Heading.above(signature.Manifest(f.Content, nil)))
		file.sink, file.heading, file.by = cfg.sink(g.Name), g.Heading, g.Name
		files[i] = file
	}
	return files, nil
}
