package load

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Exported are packages with all their declarations, as programs that import them see them.
type Exported struct {
	Packages map[string]*types.Package
	fset     *token.FileSet
}

// Export compiles the packages with the given import paths, of which it leaves out those without Go files. Files hide those of the disk, by path; nil
// hides one without a replacement.
func Export(dir string, paths, buildTags []string, files map[string][]byte) (*Exported, error) {
	e := &Exported{Packages: map[string]*types.Package{}, fset: token.NewFileSet()}
	if len(paths) == 0 {
		return e, nil
	}
	cfg := &packages.Config{Mode: packages.LoadTypes, Dir: dir, Fset: e.fset, Overlay: map[string][]byte{}}
	for path, content := range files {
		if filepath.Ext(path) != ".go" {
			continue
		}
		if content == nil {
			content = []byte("//go:build ignore\n\npackage ignored\n")
		}
		cfg.Overlay[path] = content
	}
	cfg.BuildFlags = []string{"-trimpath=false"} // positions have the names of files
	if len(buildTags) > 0 {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+strings.Join(buildTags, ","))
	}
	found, err := packages.Load(cfg, paths...)
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	for _, p := range found {
		if len(p.GoFiles) == 0 {
			continue
		}
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("package %s does not compile: %w", p.PkgPath, p.Errors[0])
		}
		e.Packages[p.PkgPath] = p.Types
	}
	return e, nil
}

// Position returns the file, line and column of a position.
func (e *Exported) Position(pos token.Pos) (path string, at source.Position) {
	p := e.fset.Position(pos)
	return p.Filename, source.Position{Line: p.Line, Column: p.Column}
}
