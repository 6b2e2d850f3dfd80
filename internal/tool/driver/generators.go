package driver

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/controllergen"
)

// Generator is a generator of controller-gen.
type Generator struct {
	controllergen.Generator
	// Dir is the folder for its manifests.
	Dir string
	// Heading is at the top of its files.
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
		path, content := filepath.Join(cfg.below(g.Dir), f.Name), f.Content
		switch {
		case g.Go():
			path = f.Name
			if g.Heading.Text != "" {
				content = slices.Concat([]byte(g.Heading.Text+"\n\n"), content)
			}
			if !cfg.isHere(path) {
				bag.Errorf(source.Span{}, codeOutside, "%s is in another module, which is only a dependency here, so %s does not write it; name packages of this module with paths=", cfg.name(path), g.Name)
			}
		case f.Patched == path: // which keeps who wrote it
		default:
			content = g.Heading.above(provenance.Manifest(document(content), nil))
		}
		file := cfg.file(path, content)
		file.sink, file.heading, file.by, file.patched = cfg.sink(g.Name), g.Heading, g.Name, f.Patched == path
		files[i] = file
	}
	return files, nil
}

// document returns a manifest that begins with the line that Manifest expects.
func document(content []byte) []byte {
	if bytes.HasPrefix(content, []byte("---\n")) {
		return content
	}
	return slices.Concat([]byte("---\n"), content)
}

// isHere reports whether a path is in the run's module or its workspace.
func (cfg *Config) isHere(path string) bool {
	for _, name := range []string{"go.mod", "go.work"} {
		if root, ok := cfg.Files.Above(cfg.Dir, name); ok && isBelow(root, path) {
			return true
		}
	}
	return false
}

// outdated returns the Go files of earlier runs of generators beside those that they wrote now.
func (cfg *Config) outdated(files []*File) ([]*File, error) {
	written := map[string]bool{}
	folders := map[string]string{}
	for _, f := range files {
		written[f.Path] = true
		if strings.HasSuffix(f.Path, ".go") && f.pkg == nil {
			folders[filepath.Dir(f.Path)] = f.by
		}
	}
	var gone []*File
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		names, err := cfg.Files.List(source.GoFiles, dir)
		if err != nil {
			continue // a new folder
		}
		for _, name := range names {
			path := filepath.Join(dir, name)
			content, err := cfg.Files.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if !written[path] && provenance.Of(path, content).Ours {
				f := cfg.file(path, nil)
				f.Previous, f.by = content, folders[dir]
				gone = append(gone, f)
			}
		}
	}
	return gone, nil
}
