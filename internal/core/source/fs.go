package source

import (
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// FS is the file system as one run sees it. It puts an overlay, such as the
// buffers of an editor, on top of the disk, reads every file once, so that all
// stages see the same bytes, and records what the run depends on.
//
// Paths are absolute. The nil FS reads the disk and records nothing.
type FS struct {
	*view
	record *Record
	// also are other records of the same reads.
	also []*Record
}

// view is what an FS and those made by Tee share.
type view struct {
	overlay map[string][]byte

	mu    sync.Mutex
	files map[string]*contents
	lists map[Input]*names
}

// contents is the result of reading a file.
type contents struct {
	data    []byte
	err     error
	state   State
	header  State
	changed time.Time
}

// names is the result of listing a folder.
type names struct {
	list    []string
	err     error
	changed time.Time
}

// NewFS returns a file system for one run. Files of the overlay hide those of
// the disk, and exist if the disk has none of the name. The overlay must not
// change while the FS is in use.
func NewFS(overlay map[string][]byte) *FS {
	return &FS{
		view:   &view{overlay: overlay, files: map[string]*contents{}, lists: map[Input]*names{}},
		record: newRecord(),
	}
}

// Overlay returns the files that hide those of the disk, by path.
func (f *FS) Overlay() map[string][]byte {
	if f == nil {
		return nil
	}
	return f.overlay
}

// Record returns what was read so far.
func (f *FS) Record() *Record {
	if f == nil {
		return newRecord()
	}
	return f.record
}

// Tee returns a file system that reads like f, and records in a new record as well as in that of f.
func (f *FS) Tee() *FS {
	if f == nil {
		return NewFS(nil)
	}
	return &FS{view: f.view, record: newRecord(), also: append(slices.Clone(f.also), f.record)}
}

// Unrecorded returns a file system that reads like f without recording. It is for detecting
// changes.
func (f *FS) Unrecorded() *FS {
	if f == nil {
		return NewFS(nil)
	}
	return &FS{view: f.view, record: newRecord()}
}

// ReadFile returns the content of a file, which must not be changed. It also records that a file
// does not exist.
func (f *FS) ReadFile(path string) ([]byte, error) {
	if f == nil {
		return os.ReadFile(path)
	}
	c := f.contents(path)
	f.note(Input{Content, path}, c.state, nil, c.changed)
	return c.data, c.err
}

// ReadFixed returns the content of a file that does not change, such as one of
// the standard library. It is not recorded.
func (f *FS) ReadFixed(path string) ([]byte, error) {
	if f != nil {
		if content, ok := f.overlay[path]; ok {
			return content, nil
		}
	}
	return os.ReadFile(path)
}

// Digest returns the state of a file's content, as ReadFile records it.
func (f *FS) Digest(path string) State { return f.State(Input{Content, path}) }

// List returns the names of a folder's entries of one kind, sorted.
func (f *FS) List(kind Kind, dir string) ([]string, error) {
	in := Input{kind, dir}
	if f == nil {
		n := NewFS(nil).names(in)
		return n.list, n.err
	}
	n := f.names(in)
	f.note(in, n.state(), n.list, n.changed)
	return n.list, n.err
}

// Above returns the nearest folder from dir upwards that has a file of that name.
func (f *FS) Above(dir, name string) (string, bool) {
	for {
		if _, err := f.ReadFile(filepath.Join(dir, name)); err == nil {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// State records an input and returns its state.
func (f *FS) State(in Input) State {
	switch in.Kind {
	case Content:
		c := f.contents(in.Path)
		f.note(in, c.state, nil, c.changed)
		return c.state
	case Header:
		c := f.contents(in.Path)
		f.mu.Lock()
		if c.err == nil && c.header == Missing {
			c.header = stateOf(header(c.data))
		}
		f.mu.Unlock()
		state := c.header
		if c.err != nil {
			state = c.state
		}
		f.note(in, state, nil, c.changed)
		return state
	default:
		n := f.names(in)
		f.note(in, n.state(), n.list, n.changed)
		return n.state()
	}
}

func (f *FS) note(in Input, state State, list []string, changed time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record.add(in, state, list, changed)
	for _, r := range f.also {
		r.add(in, state, list, changed)
	}
}

// contents reads a file on the first call.
func (f *FS) contents(path string) *contents {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c, ok := f.files[path]; ok {
		return c
	}
	c := &contents{}
	if data, ok := f.overlay[path]; ok {
		c.data = data
	} else {
		c.data, c.changed, c.err = read(path)
	}
	c.state = stateOfResult(c.data, c.err)
	f.files[path] = c
	return c
}

// read returns the content of a file of the disk, and when it was last changed.
func read(path string) ([]byte, time.Time, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	data := make([]byte, info.Size()+1) // one more, to detect the end at once
	n, err := io.ReadFull(file, data)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return data[:n:n], info.ModTime(), nil
	case err != nil:
		return nil, time.Time{}, err
	}
	rest, err := io.ReadAll(file)
	return append(data, rest...), info.ModTime(), err
}

// names lists a folder on the first call.
func (f *FS) names(in Input) *names {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n, ok := f.lists[in]; ok {
		return n
	}
	n := &names{}
	switch in.Kind {
	case Tree:
		n.err = f.walk(in.Path, "", n)
	case Folders:
		n.list, n.changed, n.err = f.entries(in.Path, func(name string, dir bool) bool { return dir && walked(name) })
		for i := range n.list {
			n.list[i] += "/"
		}
	default:
		n.list, n.changed, n.err = f.entries(in.Path, func(name string, dir bool) bool { return !dir && in.Kind.has(name) })
	}
	slices.Sort(n.list)
	f.lists[in] = n
	return n
}

func (n *names) state() State {
	return stateOfResult([]byte(strings.Join(n.list, "\n")), n.err)
}

// entries returns the wanted names of a folder, including those of the overlay, and the folder's
// modification time.
func (f *FS) entries(dir string, wanted func(name string, dir bool) bool) ([]string, time.Time, error) {
	found := map[string]bool{}
	var changed time.Time
	list, err := os.ReadDir(dir)
	if err == nil {
		if info, serr := os.Stat(dir); serr == nil {
			changed = info.ModTime()
		}
	}
	for _, e := range list {
		if e.Type()&fs.ModeSymlink != 0 {
			// The go command follows links to files, but not links to folders.
			if info, err := os.Stat(filepath.Join(dir, e.Name())); err != nil || info.IsDir() {
				continue
			}
		}
		if wanted(e.Name(), e.IsDir()) {
			found[e.Name()] = e.IsDir()
		}
	}
	for path := range f.overlay {
		rel, rerr := filepath.Rel(dir, path)
		if rerr != nil || !filepath.IsLocal(rel) {
			continue
		}
		first, _, below := strings.Cut(rel, string(filepath.Separator))
		if wanted(first, below) {
			found[first] = below
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return slices.Collect(maps.Keys(found)), changed, err
}

// walk lists the subfolders that the go command searches for patterns with "...", and the files
// that make them packages.
func (f *FS) walk(dir, prefix string, n *names) error {
	dirs := map[string]bool{}
	list, changed, err := f.entries(dir, func(name string, dir bool) bool {
		if dir {
			dirs[name] = true
			return walked(name)
		}
		return GoFiles.has(name) || name == "go.mod"
	})
	if err != nil {
		return err
	}
	if changed.After(n.changed) {
		n.changed = changed
	}
	for _, name := range list {
		if !dirs[name] {
			n.list = append(n.list, prefix+name)
			continue
		}
		n.list = append(n.list, prefix+name+"/")
		if err := f.walk(filepath.Join(dir, name), prefix+name+"/", n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// walked reports whether the go command searches folders with that name for packages.
func walked(name string) bool {
	return name != "testdata" && name != "vendor" && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_")
}

// Changed returns the modification time of a file on the disk. It is for inputs that are not read,
// such as the go command.
func Changed(path string) (time.Time, error) {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime(), nil
}

// Repository returns the root of the git repository that a folder is in, "" if it is in none.
func Repository(dir string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
