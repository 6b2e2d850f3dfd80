package manifest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/core/spell"
)

// Stdin is the name of standard input.
const Stdin = "-"

// stdinPath is the path of standard input in diagnostics.
const stdinPath = "<stdin>"

// extensions are the extensions of manifests in folders.
var extensions = []string{".yaml", ".yml", ".json"}

// Files reads files, all manifests below folders, and stdin for "-", each once. It skips folders
// whose names begin with a dot unless they are named.
func Files(names []string, stdin io.Reader) ([]*source.File, error) {
	var files []*source.File
	seen := map[string]bool{}
	add := func(path string, read func() (*source.File, error)) error {
		if seen[path] {
			return nil
		}
		seen[path] = true
		file, err := read()
		if err != nil {
			return err
		}
		files = append(files, file)
		return nil
	}
	for _, name := range names {
		if name == Stdin {
			if err := add(stdinPath, func() (*source.File, error) { return readStdin(stdin) }); err != nil {
				return nil, err
			}
			continue
		}
		paths, err := Find(name, func(string) bool { return true })
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if err := add(path, func() (*source.File, error) { return ReadFile(path) }); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

func readStdin(stdin io.Reader) (*source.File, error) {
	content, err := io.ReadAll(stdin)
	if err != nil {
		return nil, err
	}
	return source.NewFile(stdinPath, content), nil
}

// ReadFile reads one file.
func ReadFile(path string) (*source.File, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return source.NewFile(path, content), nil
}

// noFile is the error about a file that does not exist, with the one beside it that its name misspells.
func noFile(name string) error {
	dir, base := filepath.Split(name)
	var beside []string
	_ = filepath.WalkDir(filepath.Clean(dir), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return filepath.SkipDir
		case path == filepath.Clean(dir):
			return nil
		case d.IsDir() || slices.Contains(extensions, filepath.Ext(path)):
			beside = append(beside, d.Name())
		}
		if d.IsDir() {
			return filepath.SkipDir
		}
		return nil
	})
	if near := spell.Nearest(base, beside); near != "" {
		return missing(fmt.Sprintf("no file or folder %s; did you mean %s?", name, filepath.Join(dir, near)))
	}
	return missing("no file or folder " + name)
}

// missing is the message about a file that does not exist. Callers find it by [fs.ErrNotExist].
type missing string

func (m missing) Error() string { return string(m) }

func (m missing) Unwrap() error { return fs.ErrNotExist }

// Find returns the path of a file, or the sorted paths of the wanted files below a folder. Files in
// folders are selected by name.
func Find(name string, wanted func(path string) bool) ([]string, error) {
	name = filepath.Clean(name)
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noFile(name)
	}
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	var paths []string
	err = filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if path != name && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
		case slices.Contains(extensions, filepath.Ext(path)) && wanted(path):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}
