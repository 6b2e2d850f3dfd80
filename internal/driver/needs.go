package driver

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/gofile"
	"github.com/kindsmith/kindsmith/internal/load"
)

// modules are those that generated code needs beside the ones that its types are from.
var modules = []string{gofile.Runtime, "k8s.io/apimachinery", "k8s.io/apiextensions-apiserver"}

// needs returns the modules that generated files import packages of and that no go.mod
// file requires.
func (cfg *Config) needs(files []*File) []string {
	if cfg.OutputRoot != "" {
		return nil // it may be in any module
	}
	imports := map[string]string{}
	for _, f := range files {
		if f.Content == nil || filepath.Ext(f.Path) != ".go" {
			continue
		}
		for _, path := range imported(f.Path, f.Content) {
			imports[path] = filepath.Dir(f.Path)
		}
	}
	var lacking []string
	for path, dir := range imports {
		i := slices.IndexFunc(modules, func(m string) bool { return strings.HasPrefix(path, m+"/") })
		if i >= 0 && !slices.Contains(lacking, modules[i]) && load.Lacks(cfg.Files, dir, path) {
			lacking = append(lacking, modules[i])
		}
	}
	slices.Sort(lacking)
	return lacking
}

// imported returns the paths that a Go file imports, none if it does not parse.
func imported(name string, content []byte) []string {
	syntax, err := parser.ParseFile(token.NewFileSet(), name, content, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	var paths []string
	for _, spec := range syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}
