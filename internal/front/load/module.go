package load

import (
	"errors"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// reportModuleFiles reports syntax errors in go.work and in the go.mod files of local modules, and
// whether there are any.
func (r *Result) reportModuleFiles() bool {
	found := false
	report := func(path string, parse func(path string, content []byte) error) {
		content, err := r.listing.ReadFile(path)
		if err != nil {
			return
		}
		file := source.NewFile(r.display(path), content)
		var list modfile.ErrorList
		if errors.As(parse(path, content), &list) {
			for _, e := range list {
				start := file.Offset(source.Position{Line: e.Pos.Line, Column: e.Pos.LineRune})
				end := file.Offset(source.Position{Line: e.Pos.Line}) + len(file.Line(e.Pos.Line))
				r.bag.Errorf(file.Span(start, max(start, end)), codeGoMod, "%v", e.Err)
				found = true
			}
		}
	}
	if path := r.workspace(); path != "" {
		report(path, func(path string, content []byte) error {
			_, err := modfile.ParseWork(path, content, nil)
			return err
		})
	}
	for _, m := range r.localModules() {
		report(filepath.Join(m.dir, "go.mod"), func(path string, content []byte) error {
			_, err := modfile.Parse(path, content, nil)
			return err
		})
	}
	return found
}

// Requires reports whether a package's module names another module as a direct
// or indirect requirement.
func (r *Result) Requires(p *Package, module string) bool {
	list, known := r.required[p.GoMod]
	if !known && p.GoMod != "" {
		list = r.requirements(p.GoMod)
		r.required[p.GoMod] = list
	}
	return slices.Contains(list, module)
}

// requirements returns the modules that a go.mod file requires.
func (r *Result) requirements(path string) []string {
	content, err := r.files.ReadFile(path)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(path, content, nil)
	if err != nil {
		return nil
	}
	var list []string
	for _, req := range f.Require {
		list = append(list, req.Mod.Path)
	}
	return list
}
