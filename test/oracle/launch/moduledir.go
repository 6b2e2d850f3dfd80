package launch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// moduleDir returns the directory of the server's module, apiserver in this repository.
// Binaries built with -trimpath do not contain the directory of this package; in that
// case moduleDir searches upwards from the working directory, which for a test is the
// directory of its package.
func moduleDir() (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		dir := filepath.Join(filepath.Dir(file), "..", "..", "..", "apiserver")
		if isModule(dir) {
			return dir, nil
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if module := filepath.Join(dir, "apiserver"); isModule(module) {
			return module, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("the source of the server, apiserver, was not found: " +
				"run this inside a checkout of the repository")
		}
		dir = parent
	}
}

// isModule reports whether the server's source is in dir.
func isModule(dir string) bool {
	return exists(filepath.Join(dir, "go.mod")) && exists(filepath.Join(dir, "cmd", "kindsmith-apiserver"))
}
