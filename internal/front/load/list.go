package load

import (
	"errors"
	"fmt"
	"go/build"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// list lists packages and their dependencies with the go command, and caches the answer.
func (r *Result) list(patterns ...string) ([]*packages.Package, error) {
	key := strings.Join(patterns, "\n")
	if found, asked := r.lists[key]; asked {
		return found, nil
	}
	r.recordModules()
	began := time.Now()
	found, err := packages.Load(r.packagesConfig(), patterns...)
	if err != nil {
		return nil, goList(err)
	}
	r.recordPackages(found, patterns)
	if !settled(r.listing.Record().Newest(), began) {
		// The recorded files may be newer than those that the go command has read.
		if found, err = packages.Load(r.packagesConfig(), patterns...); err != nil {
			return nil, goList(err)
		}
		r.recordPackages(found, patterns)
	}
	packages.Visit(found, nil, func(p *packages.Package) {
		if r.meta[p.PkgPath] == nil {
			r.meta[p.PkgPath] = p
		}
	})
	slices.SortFunc(found, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	r.lists[key] = found
	return found, nil
}

// goList returns an error of package packages with no more than what the go command says.
func goList(err error) error {
	if _, said, ok := strings.Cut(err.Error(), ": stderr: "); ok && strings.TrimSpace(said) != "" {
		return errors.New("go list: " + strings.TrimPrefix(strings.TrimSpace(said), "go: "))
	}
	return fmt.Errorf("go list: %w", err)
}

// settled reports whether a reader that began at one time has certainly seen a change with another
// modification time. Clocks of file systems are coarse.
func settled(changed, began time.Time) bool {
	return changed.Before(began.Add(-20 * time.Millisecond))
}

func (r *Result) packagesConfig() *packages.Config {
	pcfg := &packages.Config{
		Mode:    packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule,
		Dir:     r.cfg.Dir,
		Overlay: r.files.Overlay(),
	}
	if len(r.cfg.BuildTags) > 0 {
		pcfg.BuildFlags = []string{"-tags=" + strings.Join(r.cfg.BuildTags, ",")}
	}
	return pcfg
}

// recordPackages records the inputs of the go command for packages and their dependencies: the
// names and headers of their files, and the folders that it searched without finding any.
func (r *Result) recordPackages(found []*packages.Package, patterns []string) {
	modules := r.localModules()
	built := map[string]bool{} // folders with packages
	packages.Visit(found, nil, func(p *packages.Package) {
		if len(p.GoFiles) == 0 {
			if dir, ok := within(p.PkgPath, modules); ok {
				_, _ = r.listing.List(source.GoFiles, dir)
			}
			return
		}
		dir := filepath.Dir(p.GoFiles[0])
		built[dir] = true
		if mayChange(p.Module) {
			r.recordHeads(dir)
		}
	})
	for _, pattern := range patterns {
		base, _, all := strings.Cut(pattern, "...")
		all = all || base == "all" || base == "work" // packages of the main modules, and what they import
		var dirs []string
		switch {
		case filepath.IsAbs(base):
			dirs = []string{filepath.Clean(base)}
		case base == "" || base[0] == '.':
			dirs = []string{filepath.Join(r.cfg.Dir, filepath.FromSlash(base))}
		case all:
			for _, m := range modules { // a pattern of import paths
				dirs = append(dirs, m.dir)
			}
		}
		for _, dir := range dirs {
			if all {
				r.recordTree(dir, built)
			} else {
				_, _ = r.listing.List(source.GoFiles, dir)
			}
			r.recordModule(dir)
		}
	}
}

// recordTree records a folder that the go command searches for packages. The headers of files may be why a folder is no
// package.
func (r *Result) recordTree(dir string, built map[string]bool) {
	names, _ := r.listing.List(source.Tree, dir)
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, ".go") && !built[filepath.Dir(path)] {
			r.listing.State(source.Input{Kind: source.Header, Path: path})
		}
	}
}

// recordHeads records the headers of the files of a folder.
func (r *Result) recordHeads(dir string) {
	names, _ := r.listing.List(source.GoFiles, dir)
	_, _ = r.listing.List(source.OtherSources, dir)
	for _, name := range names {
		r.listing.State(source.Input{Kind: source.Header, Path: filepath.Join(dir, name)})
	}
	r.recordModule(dir)
}

// recordModule records the nearest go.mod file of a folder.
func (r *Result) recordModule(dir string) { r.listing.Above(dir, "go.mod") }

// within returns the folder of a package of one of the modules.
func within(path string, modules []module) (string, bool) {
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(path, m.path); ok && m.path != "" && (rest == "" || rest[0] == '/') {
			return filepath.Join(m.dir, filepath.FromSlash(rest)), true
		}
	}
	return "", false
}

// mayChange reports whether a module's source may change: it is neither in the module cache nor in
// the standard library.
func mayChange(m *packages.Module) bool {
	return m != nil && (m.Main || m.Dir == "" || m.Replace != nil && m.Replace.Version == "")
}

// reportEmpty reports why a root has no Go files. "all" also matches packages that are missing and that
// only files import that are written again.
func (r *Result) reportEmpty(p *packages.Package) {
	for _, e := range p.Errors {
		importer, _, _ := strings.Cut(e.Pos, ":")
		importer = inDir(r.cfg.Dir, importer)
		if content, err := r.files.ReadFile(importer); err == nil && r.isOutput(importer, content) {
			continue
		}
		if message := r.noFolder(p.PkgPath); message != "" {
			r.bag.Errorf(source.Span{}, codeGoList, "%s", message)
			return
		}
		message := p.PkgPath + ": " + strings.TrimSpace(e.Msg)
		if build.IsLocalImport(p.PkgPath) && strings.Contains(e.Msg, "no Go files in ") && r.hasPackages(inDir(r.cfg.Dir, p.PkgPath)) {
			message += "; write " + strings.TrimSuffix(p.PkgPath, "/") + "/... for the packages below it"
		}
		r.bag.Errorf(source.Span{}, codeGoList, "%s", r.missing(p.PkgPath, message))
	}
}

// noFolder says that the folder of a local pattern does not exist, and which one it may mean; "" if it exists.
func (r *Result) noFolder(pattern string) string {
	if !build.IsLocalImport(pattern) {
		return ""
	}
	path := strings.TrimSuffix(pattern, "/...")
	missing, near := "", ""
	parts := strings.Split(path, "/")
	for i, part := range parts[1:] {
		parent := strings.Join(parts[:i+1], "/")
		names, _ := r.files.List(source.Folders, inDir(r.cfg.Dir, parent))
		for i, name := range names {
			names[i] = strings.TrimSuffix(name, "/")
		}
		if part == "" || part == "." || part == ".." || slices.Contains(names, part) {
			continue
		}
		missing = parent + "/" + part
		if near = spell.Nearest(part, names); near != "" {
			near = strings.Join(append([]string{parent, near}, parts[i+2:]...), "/")
		}
		break
	}
	if missing == "" {
		return ""
	}
	message := "no folder " + missing
	if near != "" && r.hasPackages(inDir(r.cfg.Dir, near)) {
		message += "; did you mean " + near + strings.TrimPrefix(pattern, path) + "?"
	}
	return message
}

// hasPackages reports whether a folder, or one below it, has Go files.
func (r *Result) hasPackages(dir string) bool {
	if names, _ := r.files.List(source.GoFiles, dir); len(names) > 0 {
		return true
	}
	names, _ := r.files.List(source.Folders, dir)
	return slices.ContainsFunc(names, func(name string) bool { return r.hasPackages(filepath.Join(dir, name)) })
}

// reportListed reports what else the go command has found wrong with a root that
// compiles, except in files that are written again.
func (r *Result) reportListed(p *packages.Package) {
	for _, e := range p.Errors {
		if e.Kind == packages.ListError && !strings.Contains(e.Msg, "build constraints exclude") && !r.isAboutOutput(p, e) {
			r.bag.Warnf(source.Span{}, codeGoList, "%s: %s", p.PkgPath, strings.TrimSpace(e.Msg))
		}
	}
}

// isAboutOutput reports whether an error of the go command is about a file that is
// written again. Cycles of imports are reported by reportCycles.
func (r *Result) isAboutOutput(p *packages.Package, e packages.Error) bool {
	if strings.HasPrefix(e.Msg, "import cycle not allowed") {
		return true
	}
	names, _ := r.listing.List(source.GoFiles, p.Dir) // the go command lists no files that it cannot read
	return slices.ContainsFunc(names, func(name string) bool {
		if !strings.Contains(e.Pos, name) && !strings.Contains(e.Msg, name) {
			return false
		}
		path := filepath.Join(p.Dir, name)
		content, err := r.files.ReadFile(path)
		return err == nil && r.isOutput(path, content)
	})
}
