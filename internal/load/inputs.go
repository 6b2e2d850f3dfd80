package load

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/go/packages"
)

// Environment returns what packages are found by beside the files of their
// modules: the go command, and the variables that it reads. It is false when
// there is more that decides, such as a go.mod file under another name, or a workspace that
// only `go env` knows.
func Environment() ([]string, bool) {
	var env []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO_") {
			env = append(env, v)
		}
	}
	slices.Sort(env)
	if path, err := exec.LookPath("go"); err == nil {
		if info, err := os.Stat(path); err == nil {
			env = append(env, path, info.ModTime().String())
		}
	}
	elsewhere := false
	if content, err := os.ReadFile(goEnv()); err == nil {
		env = append(env, string(content))
		elsewhere = strings.Contains(string(content), "GOWORK=")
	}
	all := strings.Join(env, "\n")
	return env, !elsewhere && !strings.Contains(all, "-modfile") && !strings.Contains(all, "-overlay") && os.Getenv("GOPACKAGESDRIVER") == ""
}

// goEnv is the file that `go env -w` writes.
func goEnv() string {
	if path := os.Getenv("GOENV"); path != "" {
		return path
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "go", "env")
}

// Folders returns the folders of all packages that the build needs and that may
// change: those of the standard library and of downloaded modules do not.
func (r *Result) Folders() []string {
	found := map[string]bool{}
	for _, p := range r.meta {
		if len(p.GoFiles) > 0 && p.Module != nil && mayChange(p.Module) {
			found[filepath.Dir(p.GoFiles[0])] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// mayChange reports whether a module's source is anywhere but in the module cache.
func mayChange(m *packages.Module) bool {
	return m.Main || m.Dir == "" || m.Replace != nil && m.Replace.Version == ""
}

// Trees returns the folders below which all packages match one of the patterns.
func (r *Result) Trees() []string {
	var trees []string
	for _, p := range slices.Concat(r.cfg.Patterns, r.cfg.ReadOnly) {
		base, _, all := strings.Cut(p, "...")
		if !all {
			continue
		}
		if filepath.IsAbs(base) {
			trees = append(trees, filepath.Clean(base))
			continue
		}
		if base == "" || base[0] == '.' {
			trees = append(trees, filepath.Join(r.cfg.Dir, filepath.FromSlash(base)))
			continue
		}
		trees = append(trees, r.localModules()...) // a pattern of import paths
	}
	return trees
}

// ModuleFiles returns the files that say which modules there are, whether they
// exist or not.
func (r *Result) ModuleFiles() []string {
	var files []string
	add := func(dir string) {
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")} {
			files = append(files, filepath.Join(dir, name))
		}
	}
	for dir := r.cfg.Dir; ; dir = filepath.Dir(dir) {
		add(dir)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if work := os.Getenv("GOWORK"); work != "" && work != "off" {
		add(filepath.Dir(work))
		files = append(files, work)
	}
	for _, dir := range r.localModules() {
		add(dir)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// localModules returns the folders of the modules that the build takes from
// where they are: those of the workspace, or else the one that the run's folder
// is in, and what they are told to replace others by.
func (r *Result) localModules() []string {
	var dirs []string
	replaced := func(dir string, list []*modfile.Replace) {
		for _, rep := range list {
			if rep.New.Version == "" {
				dirs = append(dirs, within(dir, rep.New.Path))
			}
		}
	}
	var own []string
	if dir, ok := above(r.cfg.Dir, "go.mod"); ok {
		own = []string{dir}
	}
	if path := workspace(r.cfg.Dir); path != "" {
		if content, err := os.ReadFile(path); err == nil {
			if work, err := modfile.ParseWork(path, content, nil); err == nil {
				own = nil
				for _, use := range work.Use {
					own = append(own, within(filepath.Dir(path), use.Path))
				}
				replaced(filepath.Dir(path), work.Replace)
			}
		}
	}
	for _, dir := range own {
		path := filepath.Join(dir, "go.mod")
		if content, err := os.ReadFile(path); err == nil {
			if mod, err := modfile.Parse(path, content, nil); err == nil {
				replaced(dir, mod.Replace)
			}
		}
	}
	return append(own, dirs...)
}

// workspace returns the path of the go.work file that holds in a folder, "" when
// none does.
func workspace(dir string) string {
	switch path := os.Getenv("GOWORK"); path {
	case "off":
		return ""
	case "":
		if dir, ok := above(dir, "go.work"); ok {
			return filepath.Join(dir, "go.work")
		}
		return ""
	default:
		return path
	}
}

// above returns the nearest folder from dir upwards that has a file of that name.
func above(dir, name string) (string, bool) {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// within understands a path of a module file.
func within(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
