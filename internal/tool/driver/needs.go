package driver

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/front/load"
	"github.com/kindsmith/kindsmith/internal/tool/requires"
)

// needs returns what generated files import, one entry for each Go module that they are in.
func (cfg *Config) needs(files []*File) []requires.Needs {
	if cfg.OutputRoot != "" {
		return nil // it may be in any module
	}
	var needs []requires.Needs
	for _, f := range files {
		if f.Content == nil || filepath.Ext(f.Path) != ".go" {
			continue
		}
		dir := filepath.Dir(f.Path)
		if root, ok := cfg.Files.Above(dir, "go.mod"); ok {
			dir = root
		}
		for _, path := range imported(f.Path, f.Content) {
			i := slices.IndexFunc(requires.Modules, func(m string) bool { return strings.HasPrefix(path, m+"/") })
			if i < 0 {
				continue
			}
			at := slices.IndexFunc(needs, func(n requires.Needs) bool { return n.Dir == dir })
			if at < 0 {
				at, needs = len(needs), append(needs, requires.Needs{Dir: dir})
			}
			n := &needs[at]
			if module := requires.Modules[i]; !slices.Contains(n.Imported, module) {
				n.Imported = append(n.Imported, module)
				if load.Lacks(cfg.Files, filepath.Dir(f.Path), path) {
					n.Lacking = append(n.Lacking, module)
				}
			}
		}
	}
	return needs
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
