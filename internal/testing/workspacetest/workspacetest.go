// Package workspacetest makes the workspaces in which tests load and build packages of API authors: a module of the test
// beside this repository and its runtime, which resolve the module's imports.
//
// [Files] has the go.mod and go.work of such a module, [Use] sets its environment, and [Download] fetches what it requires.
package workspacetest

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// Root returns the folder of this repository.
func Root() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.FromSlash(file[:strings.LastIndex(file, "/internal/")])
}

// Kindsmith puts the command of this repository at a path. That is the one $KINDSMITH_BINARY names, which make test sets, so that
// tests do not link it again and again.
func Kindsmith(path string) error {
	if built := os.Getenv("KINDSMITH_BINARY"); built != "" {
		_, err := os.Stat(built) // so that go test does not keep results of another command
		return cmp.Or(err, os.MkdirAll(filepath.Dir(path), 0o755), os.Symlink(built, path))
	}
	build := exec.Command("go", "build", "-o", path, "./cmd/kindsmith")
	build.Dir, build.Env = Root(), append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// Files returns the go.mod of a module without requirements, and the go.work of its folder.
func Files(module string) map[string]string {
	return map[string]string{
		"go.mod":  "module " + module + "\n\ngo 1.26.0\n",
		"go.work": Work(".", Root(), filepath.Join(Root(), "runtime")),
	}
}

const repository = "github.com/kindsmith/kindsmith"

// Work returns a go.work file that uses folders, among them those of this repository and of its runtime. The repository
// requires releases of its other modules. The go command looks for them, although the workspace may have the modules, and
// they need not exist yet.
func Work(folders ...string) string {
	var b strings.Builder
	b.WriteString("go 1.26.0\n\nuse (\n")
	for _, folder := range folders {
		fmt.Fprintf(&b, "\t%q\n", folder)
	}
	b.WriteString(")\n")
	for _, m := range required() {
		fmt.Fprintf(&b, "\nreplace %s %s => %q\n", m.Path, m.Version, filepath.Join(Root(), filepath.FromSlash(strings.TrimPrefix(m.Path, repository+"/"))))
	}
	return b.String()
}

// required returns the modules of this repository that its main module requires.
func required() (all []module.Version) {
	name := filepath.Join(Root(), "go.mod")
	content, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	mod, err := modfile.Parse(name, content, nil)
	if err != nil {
		panic(err)
	}
	for _, req := range mod.Require {
		if strings.HasPrefix(req.Mod.Path, repository+"/") {
			all = append(all, req.Mod)
		}
	}
	return all
}

// Use downloads what a workspace needs, and lets Go commands of this process use the one in a folder, without network
// from then on. It sets environment variables, for example with testing.T.Setenv.
func Use(dir string, setenv func(name, value string)) error {
	if err := Download(); err != nil {
		return err
	}
	setenv("GOWORK", filepath.Join(dir, "go.work"))
	for name, value := range Offline() {
		setenv(name, value)
	}
	return nil
}

// Offline returns variables with which Go commands use no network, and no flags of the environment.
func Offline() map[string]string {
	return map[string]string{"GOFLAGS": "", "GOPROXY": "off", "GOSUMDB": "off"}
}

// Download downloads the modules of a workspace. Their versions are not those of the repository's own workspace, which has
// more modules, so a build of the tests does not download all of them.
var Download = sync.OnceValue(func() error {
	dir, err := os.MkdirTemp("", "workspace")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range Files("example.com") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"mod", "graph"}, // imports of a module without requirements are looked up in all modules
		{"list", "-deps", "github.com/kindsmith/kindsmith/..."},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(dir, "go.work"), "GOFLAGS=", "GOSUMDB=off")
		var mistakes strings.Builder
		if cmd.Stderr = &mistakes; cmd.Run() != nil {
			return fmt.Errorf("go %s: %s", strings.Join(args, " "), mistakes.String())
		}
	}
	return nil
})
