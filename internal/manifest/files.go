package manifest

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindsmith/kindsmith/internal/source"
)

// Stdin is the name that stands for the standard input.
const Stdin = "-"

// stdinPath is what diagnostics call the standard input.
const stdinPath = "<stdin>"

// extensions are those of the files that are read in a folder.
var extensions = []string{".yaml", ".yml", ".json"}

// Files reads the files that names name: files, folders with all manifests below
// them, and "-" for stdin. Each is read once. Folders whose names begin with a
// dot are left out, unless they are named.
func Files(names []string, stdin io.Reader) ([]*source.File, error) {
	var files []*source.File
	seen := map[string]bool{}
	read := func(path string, open func() ([]byte, error)) error {
		if seen[path] {
			return nil
		}
		seen[path] = true
		content, err := open()
		if err != nil {
			return err
		}
		files = append(files, source.NewFile(path, content))
		return nil
	}
	for _, name := range names {
		if name == Stdin {
			if err := read(stdinPath, func() ([]byte, error) { return io.ReadAll(stdin) }); err != nil {
				return nil, err
			}
			continue
		}
		paths, err := below(filepath.Clean(name))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if err := read(path, func() ([]byte, error) { return os.ReadFile(path) }); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// below returns the file itself, or the manifests in a folder, sorted.
func below(name string) ([]string, error) {
	info, err := os.Stat(name)
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
		case slices.Contains(extensions, filepath.Ext(path)):
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}
