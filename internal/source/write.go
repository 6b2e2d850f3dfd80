package source

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// WriteFile gives a file its content in one step: readers see the old file or the
// new one, never a part of it. A file that has the content already is left alone,
// so that its time stays; one that is replaced keeps its mode. Folders that are
// missing are made.
func WriteFile(path string, content []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // the file is replaced, not the link to it
	}
	mode, exists := fs.FileMode(0o644), false
	if info, err := os.Stat(path); err == nil {
		mode, exists = info.Mode().Perm(), true
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
			return nil
		}
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := create(dir, filepath.Base(path), mode)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if exists && err == nil {
		err = f.Chmod(mode) // what the umask took away
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// create makes a new file beside the one that it is to replace. The go command
// and shells overlook it by its first letter.
func create(dir, base string, mode fs.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(dir, "."+base+"."+strconv.FormatUint(rand.Uint64(), 36)+".tmp")
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Remove removes a file.
func Remove(path string) error { return os.Remove(path) }
