package launch

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// build is one run of `go build`.
type build struct {
	module string   // directory of the main module
	pkg    string   // package to build, as the command line names it
	flags  []string // flags of go build
}

// key names what the binary is made from: the package, the flags, the versions
// of the dependencies, the Go version and platform and, for a package inside the
// module, its source. It returns an error if the go command or a file is missing.
func (b build) key() (string, error) {
	env, err := b.command("env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return "", fmt.Errorf("go env: %w", withStderr(err))
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%s\n", b.pkg, b.flags, env)

	files := []string{"go.mod", "go.sum"}
	if strings.HasPrefix(b.pkg, "./") {
		source, err := fs.Glob(os.DirFS(b.module), strings.TrimPrefix(b.pkg, "./")+"/*.go")
		if err != nil {
			return "", err
		}
		files = append(files, source...)
	}
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(b.module, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(data), data)
	}
	return fmt.Sprintf("%.8x", h.Sum(nil)), nil
}

// into creates the binary at path unless it exists. If several processes need the same
// binary, one builds it and the others wait.
func (b build) into(path string) error {
	if exists(path) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	unlock, err := lock(path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if exists(path) {
		return nil
	}

	// Use a separate folder, because lock does nothing on some systems.
	partial, err := os.MkdirTemp(filepath.Dir(path), "partial-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(partial)
	built := filepath.Join(partial, filepath.Base(path))
	args := append([]string{"build", "-o", built}, b.flags...)
	out, err := b.command(append(args, b.pkg)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build %s in %s: %w; the end of its output:\n%s",
			b.pkg, b.module, err, tail(string(out), logLines))
	}
	return os.Rename(built, path)
}

// command returns the go command with args, to be run in the module. The module is
// outside of the workspace, because its versions would be selected for the others.
// Nothing else differs from how tests are built, so that Kubernetes is compiled once for both.
func (b build) command(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = b.module
	cmd.Env = append(os.Environ(), "GOWORK=off", "PWD="+b.module)
	return cmd
}

// exists reports whether there is a file at path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// withStderr adds the stderr of a command to its error, if it was captured.
func withStderr(err error) error {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return fmt.Errorf("%w: %s", err, exit.Stderr)
	}
	return err
}

// tail returns the last n lines of s, without the newline that ends it.
func tail(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
