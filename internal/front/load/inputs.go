package load

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Environment returns the inputs of finding packages besides files: the go command, and its
// environment variables. It is false if there are others, such as a go.mod file under another name,
// or a workspace that only `go env` knows.
func Environment(files *source.FS) ([]string, bool) {
	var env []string
	for _, v := range os.Environ() {
		if strings.HasPrefix(v, "GO") || strings.HasPrefix(v, "CGO_") {
			env = append(env, v)
		}
	}
	slices.Sort(env)
	if path, err := exec.LookPath("go"); err == nil {
		if changed, err := source.Changed(path); err == nil {
			env = append(env, path, changed.String())
		}
	}
	written := ""
	if content, err := files.ReadFile(goEnv()); err == nil {
		written = string(content)
		env = append(env, written)
	}
	all := strings.Join(env, "\n")
	known := !strings.Contains(written, "GOWORK=") && !strings.Contains(all, "-modfile") && !strings.Contains(all, "-overlay") &&
		os.Getenv("GOPACKAGESDRIVER") == ""
	return env, known
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

// recordModules records the files that define the modules of the build, whether they exist or not.
func (r *Result) recordModules() {
	var paths []string
	add := func(dir string) {
		// The go command uses the folder vendor if it exists, also if it is empty.
		_, _ = r.listing.List(source.GoFiles, filepath.Join(dir, "vendor"))
		for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")} {
			paths = append(paths, filepath.Join(dir, name))
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
		paths = append(paths, work)
	}
	for _, m := range r.localModules() {
		add(m.dir)
	}
	if path := goEnv(); filepath.IsAbs(path) {
		paths = append(paths, path)
	}
	for _, path := range paths {
		_, _ = r.listing.ReadFile(path)
	}
}

// module is a local module of the build.
type module struct{ path, dir string }

// localModules returns the modules of the workspace, or else the module of the run's folder, and
// local replacements of modules.
func (r *Result) localModules() []module {
	var dirs []string
	replaced := func(dir string, list []*modfile.Replace) {
		for _, rep := range list {
			if rep.New.Version == "" {
				dirs = append(dirs, inDir(dir, rep.New.Path))
			}
		}
	}
	var own []string
	if dir, ok := r.listing.Above(r.cfg.Dir, "go.mod"); ok {
		own = []string{dir}
	}
	if path := r.workspace(); path != "" {
		if content, err := r.listing.ReadFile(path); err == nil {
			if work, err := modfile.ParseWork(path, content, nil); err == nil {
				own = nil
				for _, use := range work.Use {
					own = append(own, inDir(filepath.Dir(path), use.Path))
				}
				replaced(filepath.Dir(path), work.Replace)
			}
		}
	}
	var found []module
	for i := 0; i < len(own)+len(dirs); i++ {
		dir := slices.Concat(own, dirs)[i]
		m := module{dir: dir}
		path := filepath.Join(dir, "go.mod")
		if content, err := r.listing.ReadFile(path); err == nil {
			m.path = modfile.ModulePath(content)
			if mod, err := modfile.Parse(path, content, nil); err == nil && i < len(own) {
				replaced(dir, mod.Replace)
			}
		}
		found = append(found, m)
	}
	return found
}

// workspace returns the path of the go.work file of the run's folder, "" if there is none.
func (r *Result) workspace() string {
	switch path := os.Getenv("GOWORK"); path {
	case "off":
		return ""
	case "":
		if dir, ok := r.listing.Above(r.cfg.Dir, "go.work"); ok {
			return filepath.Join(dir, "go.work")
		}
		return ""
	default:
		return path
	}
}

// inDir resolves a path in a module file.
func inDir(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
