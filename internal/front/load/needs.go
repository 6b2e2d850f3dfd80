package load

import (
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Lacks reports whether no module of a folder's build has a package: neither the
// modules of the workspace, nor one that they require.
func Lacks(files *source.FS, dir, importPath string) bool {
	r := &Result{cfg: Config{Dir: dir}, listing: files}
	var modules []string
	for _, m := range r.localModules() {
		modules = append(modules, m.path)
		path := filepath.Join(m.dir, "go.mod")
		content, err := files.ReadFile(path)
		if err != nil {
			continue
		}
		if mod, err := modfile.ParseLax(path, content, nil); err == nil {
			for _, req := range mod.Require {
				modules = append(modules, req.Mod.Path)
			}
		}
	}
	return !slices.ContainsFunc(modules, func(m string) bool {
		return m != "" && (importPath == m || strings.HasPrefix(importPath, m+"/"))
	})
}
