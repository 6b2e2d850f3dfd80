package scaffold

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/wiring"
)

// mainFile is the source of the manager in a new project.
const mainFile = "cmd/main.go"

// wire plans the source of a manager, or the lines that the project's manager lacks.
func (b *builder) wire() error {
	if b.hooks == nil {
		return nil
	}
	files := b.goFiles()
	at := slices.IndexFunc(files, func(f goFile) bool { return wiring.IsManager(f.content) })
	manager := mainFile
	if at >= 0 {
		manager = files[at].name
	} else if b.has(mainFile) { // another program
		manager = "cmd/manager/main.go"
	}
	others := slices.DeleteFunc(slices.Clone(files), func(f goFile) bool { return f.name == manager })
	apis := b.apis(others)
	options := wiring.Options{Markers: b.has("PROJECT"), ByHand: func(importPath, kind string) bool {
		return slices.ContainsFunc(others, func(f goFile) bool { return wiring.SetsUp(f.content, importPath, kind) == wiring.ByHand })
	}}
	if at < 0 {
		content, err := render("manager/main.go", b)
		if err == nil {
			content, err = wiring.Add(content, apis, options)
		}
		if err != nil {
			return err
		}
		b.New = append(b.New, b.file(manager, nil, content))
		b.Next = append(b.Next, "go mod tidy") // with what the generated code imports
		b.Trial = cmp.Or(b.command, "kindsmith") + " dev --run 'go run ./" + path.Dir(manager) + "'"
		return b.image(path.Dir(manager))
	}
	content, err := wiring.Add(files[at].content, apis, options)
	if !bytes.Equal(content, files[at].content) {
		b.edit(manager, files[at].content, string(content))
		b.Notes = append(b.Notes, manager+" imports "+wiring.Module+"; add it with: go mod tidy")
	}
	if err != nil {
		b.Notes = append(b.Notes, "In "+manager+":\n"+err.Error())
	}
	return nil
}

// image plans what builds an image of the manager, unless the project has a Dockerfile.
func (b *builder) image(manager string) error {
	if b.has("Dockerfile") {
		return nil
	}
	return errors.Join(b.create("Dockerfile", "manager/Dockerfile", manager), b.create(".dockerignore", "manager/dockerignore", nil))
}

// goFile is a Go file of the project.
type goFile struct {
	// name is relative to the module.
	name    string
	content []byte
}

// goFiles returns the Go files of the module that may set up webhooks.
func (b *builder) goFiles() (files []goFile) {
	names, _ := b.Files.List(source.Tree, b.root)
	for _, name := range names {
		base := path.Base(name)
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(base, "zz_generated.") {
			continue
		}
		if content, err := b.read(name); err == nil {
			files = append(files, goFile{filepath.ToSlash(name), content})
		}
	}
	return files
}

// apis returns the groups of the project with the new kind, without kinds that other files set up.
func (b *builder) apis(others []goFile) (apis []wiring.API) {
	for _, a := range b.APIs {
		a.Kinds = slices.DeleteFunc(slices.Clone(a.Kinds), func(kind string) bool {
			return slices.ContainsFunc(others, func(f goFile) bool {
				return slices.ContainsFunc(append([]string{a.Package}, a.Older...), func(p string) bool {
					return wiring.SetsUp(f.content, p, kind) == wiring.Generated
				})
			})
		})
		apis = append(apis, a)
	}
	if b.Kind == "" {
		return apis
	}
	importPath := path.Join(b.Module, b.kindDir())
	for i := range apis {
		if apis[i].Package == importPath {
			if !slices.Contains(apis[i].Kinds, b.Kind) {
				apis[i].Kinds = append(apis[i].Kinds, b.Kind)
			}
			return apis
		}
	}
	return append(apis, wiring.API{Group: b.Group, Package: importPath, Kinds: []string{b.Kind}})
}
