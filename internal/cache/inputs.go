package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Inputs are the places that a run depends on. They may be absent: that they
// still are is then a part of it.
type Inputs struct {
	// Folders count with their Go and YAML files, but not with what is below them.
	Folders []string `json:"folders,omitempty"`
	// Trees count with all folders below them that the go command looks into
	// for ./... patterns.
	Trees []string `json:"trees,omitempty"`
	// Files count whatever they are.
	Files []string `json:"files,omitempty"`
}

// digest is a SHA-256.
type digest [sha256.Size]byte

func (d digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

func (d *digest) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return errors.New("not a SHA-256")
	}
	_, err := hex.Decode(d[:], text)
	return err
}

// snapshot has the digests of files by their path.
type snapshot map[string]digest

// digest returns one digest for all.
func (s snapshot) digest() digest {
	h := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(s)) {
		d := s[path]
		h.Write([]byte(path))
		h.Write([]byte{0})
		h.Write(d[:])
	}
	return digest(h.Sum(nil))
}

// reader reads inputs.
type reader struct {
	files  snapshot
	newest time.Time
}

// read returns what is in the places, and when that was last changed.
func (in Inputs) read() (snapshot, time.Time, error) {
	r := &reader{files: snapshot{}}
	for _, path := range in.Files {
		if err := r.file(path); err != nil {
			return nil, time.Time{}, err
		}
	}
	for _, path := range in.Folders {
		if err := r.folder(path, false); err != nil {
			return nil, time.Time{}, err
		}
	}
	for _, path := range in.Trees {
		if err := r.folder(path, true); err != nil {
			return nil, time.Time{}, err
		}
	}
	return r.files, r.newest, nil
}

func (r *reader) file(path string) error {
	if _, done := r.files[path]; done {
		return nil
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r.changed(info)
	r.files[path] = sha256.Sum256(content)
	return nil
}

func (r *reader) changed(info fs.FileInfo) {
	if t := info.ModTime(); t.After(r.newest) {
		r.newest = t
	}
}

// folder reads a folder, and those below it if the whole tree is wanted.
func (r *reader) folder(path string, tree bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r.changed(info) // files may have gone
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		switch {
		case e.IsDir():
			if tree && matched(e.Name()) {
				err = r.folder(name, true)
			}
		case counts(e.Name()):
			err = r.file(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// matched reports whether the go command looks for packages in folders of that
// name. It does not look into other modules either; what is read in vain there
// does no harm.
func matched(name string) bool {
	return name != "testdata" && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// counts reports whether a run may read or write files of that name, or whether
// packages belong to another module because of it.
func counts(name string) bool {
	return name == "go.mod" || strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".yaml")
}
