package apidocs

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Write writes the pages of a site, and removes those that an earlier run wrote and that it does not have any more.
// It changes no file of somebody else.
func Write(dir string, files map[string][]byte) error {
	var changes []source.Change
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		before, err := os.ReadFile(path)
		switch {
		case err == nil && !isDocs(before):
			return fmt.Errorf("%s was not written by kindsmith docs; name another folder with --out", path)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		changes = append(changes, source.Change{Path: path, Content: files[name]})
	}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil || entry.IsDir() || !slices.Contains([]string{".html", ".md"}, filepath.Ext(path)):
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil || files[filepath.ToSlash(rel)] != nil {
			return err
		}
		before, err := os.ReadFile(path)
		if err == nil && isDocs(before) {
			changes = append(changes, source.Change{Path: path})
		}
		return err
	})
	if err != nil {
		return err
	}
	return source.Write(changes)
}

func isDocs(content []byte) bool {
	return bytes.Contains(content[:min(len(content), 200)], []byte(Signature))
}
