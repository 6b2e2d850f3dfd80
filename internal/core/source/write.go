package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Change is a file that is to have a content; nil is for one that is to go.
type Change struct {
	Path    string
	Content []byte
}

// WriteFile writes one file like Write.
func WriteFile(path string, content []byte) error {
	if content == nil {
		content = []byte{}
	}
	return Write([]Change{{path, content}})
}

// Write makes changes: all of them, or none if one cannot be made. First it writes all
// new contents to temporary files, so that a full disk or a missing permission is found
// before any file is changed. Then it renames them: readers see the old file or the new
// one, never a part of it, also if the process is killed.
//
// A file that has its content already is left alone, so that its time stays; one that
// is replaced keeps its mode. Of a link, the file that it leads to is replaced. Missing
// folders are made. Temporary files that a killed process left beside the files are
// removed.
//
// Nothing is synchronised with the disk: after a power failure a generated file may be
// empty or cut off, and the next run writes it again.
func Write(changes []Change) (err error) {
	var t transaction
	defer func() {
		if err != nil {
			err = errors.Join(err, t.undo())
		}
	}()
	for _, c := range changes {
		if err := t.prepare(c); err != nil {
			return err
		}
	}
	for ; t.done < len(t.files); t.done++ {
		if err := t.files[t.done].commit(); err != nil {
			return err
		}
	}
	return nil
}

// transaction is a list of changes in the making.
type transaction struct {
	files []*replacement
	// done is how many of the files were changed.
	done int
	// made are the folders that were missing.
	made  []string
	swept map[string]bool
}

// replacement is the change of one file.
type replacement struct {
	path, temporary string // temporary is "" for a file that goes
	old             []byte
	mode            fs.FileMode
	existed         bool
}

// prepare does all of a change that may fail and can be undone.
func (t *transaction) prepare(c Change) error {
	r := &replacement{path: c.Path, mode: 0o644}
	if target, err := filepath.EvalSymlinks(c.Path); err == nil && c.Content != nil {
		r.path = target // the file is replaced, not the link to it
	}
	t.sweep(filepath.Dir(r.path))
	switch info, err := os.Stat(r.path); {
	case err == nil && info.IsDir():
		return &fs.PathError{Op: "write", Path: r.path, Err: errors.New("is a directory")}
	case err == nil:
		r.mode, r.existed = info.Mode().Perm(), true
		if r.old, err = os.ReadFile(r.path); err != nil {
			return err
		}
		if c.Content != nil && bytes.Equal(r.old, c.Content) {
			return nil
		}
	case c.Content == nil:
		return nil // another run may have removed it
	}
	if c.Content != nil {
		if err := t.mkdir(filepath.Dir(r.path)); err != nil {
			return err
		}
		var err error
		if r.temporary, err = writeTemporary(r.path, c.Content, r.mode, r.existed); err != nil {
			return err
		}
	}
	t.files = append(t.files, r)
	return nil
}

// mkdir makes a folder and those above it, and notes which of them it made.
func (t *transaction) mkdir(dir string) error {
	var missing []string
	for d := dir; d != filepath.Dir(d); d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil {
			break
		}
		missing = append(missing, d)
	}
	t.made = append(missing, t.made...)
	return os.MkdirAll(dir, 0o755)
}

func (r *replacement) commit() error {
	if r.temporary != "" {
		return os.Rename(r.temporary, r.path)
	}
	if err := os.Remove(r.path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// undo gives changed files their old content, and removes what was made for the others.
func (t *transaction) undo() error {
	var errs []error
	for i, r := range t.files {
		switch {
		case i >= t.done && r.temporary != "":
			errs = append(errs, os.Remove(r.temporary))
		case i >= t.done:
		case r.existed:
			old, err := writeTemporary(r.path, r.old, r.mode, true)
			if err == nil {
				err = os.Rename(old, r.path)
			}
			errs = append(errs, err)
		default:
			errs = append(errs, os.Remove(r.path))
		}
	}
	for _, dir := range t.made {
		_ = os.Remove(dir) // another process may have put something into it
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("undo changes: %w", err)
	}
	return nil
}

// temporarySuffix ends the names of temporary files. These begin with a dot, by which
// the go command ignores them.
const temporarySuffix = ".kindsmith-tmp"

// writeTemporary writes a new file beside the one that it is to replace, and returns
// its path. It leaves nothing behind if it fails.
func writeTemporary(path string, content []byte, mode fs.FileMode, exact bool) (string, error) {
	f, err := create(path, mode)
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if exact && err == nil {
		err = f.Chmod(mode) // what the umask took away
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func create(path string, mode fs.FileMode) (*os.File, error) {
	for {
		name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.FormatUint(rand.Uint64(), 36)+temporarySuffix)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// orphaned is the age at which a temporary file belongs to a process that was killed:
// others rename theirs at once. A process that was only suspended reports that its file
// is gone, and undoes its changes.
const orphaned = time.Minute

// sweep removes the temporary files in a folder that killed processes have left.
func (t *transaction) sweep(dir string) {
	if t.swept[dir] {
		return
	}
	if t.swept == nil {
		t.swept = map[string]bool{}
	}
	t.swept[dir] = true
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") || !strings.HasSuffix(e.Name(), temporarySuffix) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > orphaned {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Resolve returns where a path leads if links are followed. What does not exist yet is
// below what does.
func Resolve(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(Resolve(dir), filepath.Base(path))
}
