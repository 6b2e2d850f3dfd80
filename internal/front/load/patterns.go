package load

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// packages returns patterns of the go command for patterns of a user: files are the packages of their
// folders, because the types of a package belong together. "..." matches the modules below a folder
// that is in no module and, with Config.Nested, below others.
func (r *Result) packages(patterns []string) []string {
	var list []string
	add := func(pattern string) {
		if !slices.Contains(list, pattern) {
			list = append(list, pattern)
		}
	}
	for _, pattern := range patterns {
		switch {
		case strings.HasSuffix(pattern, ".go") && !strings.Contains(pattern, "..."):
			if _, err := r.listing.ReadFile(inDir(r.cfg.Dir, pattern)); err != nil {
				r.bag.Errorf(source.Span{}, codeNoPackages, "there is no file %s", pattern)
				continue
			}
			add(relative(path.Dir(filepath.ToSlash(pattern))))
		default:
			var below []string
			inside := r.inModule(pattern)
			if r.cfg.Nested || !inside {
				below = r.nested(pattern)
			}
			if inside || len(below)+len(r.Others) == 0 {
				add(pattern)
			}
			for _, pattern := range below {
				add(pattern)
			}
		}
	}
	return list
}

// relative returns the pattern for a folder.
func relative(dir string) string {
	if path.IsAbs(dir) || filepath.IsAbs(dir) || dir == ".." || strings.HasPrefix(dir, "../") {
		return dir
	}
	return "./" + path.Clean(dir)
}

// inModule reports whether the folder of a pattern is in a module. It is true for import paths.
func (r *Result) inModule(pattern string) bool {
	base, _, _ := strings.Cut(pattern, "...")
	if !strings.HasPrefix(base, ".") && !filepath.IsAbs(base) {
		return true
	}
	_, ok := r.listing.Above(inDir(r.cfg.Dir, base), "go.mod")
	return ok
}

// nested returns the patterns for the modules in the folders that a pattern matches. The go command
// loads only modules of a workspace together; others with markers are in r.Others.
func (r *Result) nested(pattern string) []string {
	base, ok := strings.CutSuffix(pattern, "...")
	if !ok || !strings.HasPrefix(base, ".") && !filepath.IsAbs(base) {
		return nil
	}
	root := inDir(r.cfg.Dir, base)
	names, _ := r.listing.List(source.Tree, root)
	modules := r.localModules()
	var list []string
	for _, name := range names {
		dir := path.Dir(name)
		if path.Base(name) != "go.mod" || dir == "." {
			continue
		}
		if slices.ContainsFunc(modules, func(m module) bool { return m.dir == filepath.Join(root, filepath.FromSlash(dir)) }) && r.workspace() != "" {
			list = append(list, relative(path.Join(filepath.ToSlash(base), dir))+"/...")
		} else if !r.marked(root, dir, names) {
			continue
		} else if folder := relative(path.Join(filepath.ToSlash(base), dir)); r.workspace() != "" {
			r.bag.Warnf(source.Span{}, codeModule, "%s does not match the packages in %s, a module that go.work does not list; run `go work use %[2]s`, or run kindsmith in that folder with GOWORK=off", pattern, folder)
		} else if !r.cfg.Others {
			r.bag.Warnf(source.Span{}, codeModule, "%s does not match the packages in %s, which are another module; run the command in that folder too", pattern, folder)
		} else {
			r.Others = append(r.Others, Other{
				Dir: filepath.Join(root, filepath.FromSlash(dir)), Patterns: []string{"./..."},
			})
		}
	}
	return list
}

// prefixed is a marker with a prefix, as those of all generators of APIs have.
var prefixed = regexp.MustCompile(`(?m)^\s*//\s?\+[a-z0-9]+:`)

// marked reports whether a folder of a tree has Go files with markers.
func (r *Result) marked(root, dir string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		if !strings.HasPrefix(name, dir+"/") || !strings.HasSuffix(name, ".go") {
			return false
		}
		content, err := r.listing.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		return err == nil && prefixed.Match(content)
	})
}
