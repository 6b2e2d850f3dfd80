package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kind is the part of a file or folder that a run depends on.
type Kind string

const (
	// Content is the content of a file.
	Content Kind = "content"
	// Header is the part of a Go file that the go command reads: build constraints, package clause
	// and imports.
	Header Kind = "header"
	// GoFiles are the names of a folder's Go files, tests excepted.
	GoFiles Kind = "go"
	// OtherSources are the names of a folder's files in other languages than Go that the
	// go command builds packages from, or refuses.
	OtherSources Kind = "sources"
	// Manifests are the names of a folder's YAML files.
	Manifests Kind = "manifests"
	// TestFiles are the names of a folder's tests.
	TestFiles Kind = "tests"
	// Folders are the names of the folders in a folder that patterns with "..." cover.
	Folders Kind = "folders"
	// Tree are the names of the folders that a pattern with "..." matches, and of the Go and go.mod
	// files in them.
	Tree Kind = "tree"
)

// has reports whether a listing of the kind has files with the name.
func (k Kind) has(name string) bool {
	switch k {
	case Manifests:
		return (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")) && name[0] != '.'
	case OtherSources:
		return slices.Contains(otherSources, filepath.Ext(name)) && name[0] != '.' && name[0] != '_'
	}
	if !strings.HasSuffix(name, ".go") || name[0] == '.' || name[0] == '_' {
		return false
	}
	return strings.HasSuffix(name, "_test.go") == (k == TestFiles)
}

// otherSources are what files of other languages end in; see go help packages.
var otherSources = []string{
	".c", ".cc", ".cpp", ".cxx", ".m", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".s", ".S", ".sx",
	".swig", ".swigcxx", ".syso",
}

// Input is one thing that a run depends on.
type Input struct {
	Kind Kind
	Path string
}

// State identifies the state of an input: a digest of the content or of the names.
type State [sha256.Size]byte

// Missing is the state of an input that does not exist.
var Missing State

func stateOf(content []byte) State { return sha256.Sum256(content) }

func stateOfResult(content []byte, err error) State {
	var wrong *fs.PathError
	switch {
	case err == nil:
		return stateOf(content)
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.As(err, &wrong):
		err = wrong.Err
	}
	return stateOf([]byte("error: " + err.Error()))
}

// Record has the inputs of a run and their states. It is not safe for use during the run.
type Record struct {
	inputs map[Input]found
	newest time.Time
}

type found struct {
	state State
	// names are those of a listing, to predict the listing after a change.
	names []string
}

func newRecord() *Record { return &Record{inputs: map[Input]found{}} }

func (r *Record) add(in Input, state State, names []string, changed time.Time) {
	r.inputs[in] = found{state, names}
	if changed.After(r.newest) {
		r.newest = changed
	}
}

// Newest returns the latest modification time of the inputs.
func (r *Record) Newest() time.Time { return r.newest }

// Len returns the number of inputs.
func (r *Record) Len() int { return len(r.inputs) }

// Changed returns the inputs whose state in f differs, sorted. f records them.
func (r *Record) Changed(f *FS) []Input {
	var changed []Input
	for _, in := range r.Inputs() {
		if f.State(in) != r.inputs[in].state {
			changed = append(changed, in)
		}
	}
	return changed
}

// Same reports whether all inputs are in their recorded state. It stops at the first difference.
func (r *Record) Same(f *FS) bool {
	for in, was := range r.inputs {
		if f.State(in) != was.state {
			return false
		}
	}
	return true
}

// Inputs returns the inputs, sorted.
func (r *Record) Inputs() []Input {
	return slices.SortedFunc(maps.Keys(r.inputs), func(a, b Input) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Kind), string(b.Kind)))
	})
}

// Folders returns the folders in which a change could change an input, sorted.
func (r *Record) Folders() []string {
	dirs := map[string]bool{}
	for in, was := range r.inputs {
		switch in.Kind {
		case Content, Header:
			dirs[filepath.Dir(in.Path)] = true
			continue
		case Tree:
			for _, name := range was.names {
				if below, ok := strings.CutSuffix(name, "/"); ok {
					dirs[filepath.Join(in.Path, filepath.FromSlash(below))] = true
				}
			}
		}
		dirs[in.Path] = true
	}
	return slices.Sorted(maps.Keys(dirs))
}

// Concerns reports whether a change of a file or folder may change an input.
func (r *Record) Concerns(path string) bool {
	for in := range r.inputs {
		if below(in.Path, path) {
			return true
		}
		switch in.Kind {
		case GoFiles, TestFiles, Manifests, OtherSources:
			if filepath.Dir(path) == in.Path && in.Kind.has(filepath.Base(path)) {
				return true
			}
		case Folders:
			if filepath.Dir(path) == in.Path && walked(filepath.Base(path)) {
				return true
			}
		case Tree:
			if rel, err := filepath.Rel(in.Path, path); err == nil && filepath.IsLocal(rel) && inTree(rel) {
				return true
			}
		}
	}
	return false
}

// below reports whether a path is dir or below it.
func below(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// inTree reports whether a listing of a tree may have a relative path.
func inTree(rel string) bool {
	return !slices.ContainsFunc(strings.Split(rel, string(filepath.Separator)), func(part string) bool { return !walked(part) })
}

// After returns the record of the same run if files had the given contents; nil for a file that
// does not exist.
func (r *Record) After(changes map[string][]byte) *Record {
	after := &Record{inputs: maps.Clone(r.inputs), newest: r.newest}
	for _, path := range slices.Sorted(maps.Keys(changes)) {
		content := changes[path]
		state := Missing
		if content != nil {
			state = stateOf(content)
		}
		if _, read := after.inputs[Input{Content, path}]; read {
			after.inputs[Input{Content, path}] = found{state: state}
		}
		if _, read := after.inputs[Input{Header, path}]; read {
			if content != nil {
				state = stateOf(header(content))
			}
			after.inputs[Input{Header, path}] = found{state: state}
		}
		for _, in := range slices.Collect(maps.Keys(after.inputs)) {
			if names, ok := in.entry(path); ok {
				after.rename(in, names, content != nil)
			}
		}
	}
	return after
}

// entry returns the names in a listing because of a file, and whether there may be any.
func (in Input) entry(path string) ([]string, bool) {
	name := filepath.Base(path)
	switch in.Kind {
	case GoFiles, TestFiles, Manifests, OtherSources:
		return []string{name}, filepath.Dir(path) == in.Path && in.Kind.has(name)
	case Folders:
		rel, err := filepath.Rel(in.Path, path)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, false
		}
		first, _, inFolder := strings.Cut(filepath.ToSlash(rel), "/")
		return []string{first + "/"}, inFolder && walked(first)
	case Tree:
		rel, err := filepath.Rel(in.Path, path)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, false
		}
		var names []string
		dirs := strings.Split(filepath.ToSlash(filepath.Dir(rel)), "/")
		for i, dir := range dirs {
			if dir == "." {
				break
			}
			if !walked(dir) {
				return names, len(names) > 0
			}
			names = append(names, strings.Join(dirs[:i+1], "/")+"/")
		}
		if GoFiles.has(name) || name == "go.mod" {
			names = append(names, filepath.ToSlash(rel))
		}
		return names, len(names) > 0
	}
	return nil, false
}

// rename adds names to a listing, or removes the last of them: folders remain without their files.
func (r *Record) rename(in Input, entries []string, add bool) {
	n := names{list: slices.Clone(r.inputs[in].names)}
	if last := entries[len(entries)-1]; !add {
		if strings.HasSuffix(last, "/") {
			return
		}
		n.list = slices.DeleteFunc(n.list, func(name string) bool { return name == last })
	}
	for _, name := range entries {
		if add && !slices.Contains(n.list, name) {
			n.list = append(n.list, name)
		}
	}
	slices.Sort(n.list)
	r.inputs[in] = found{n.state(), n.list}
}

// MarshalJSON writes the inputs with their states, one per line. It omits names, which are not
// needed to detect changes.
func (r *Record) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, in := range r.Inputs() {
		if i > 0 {
			b.WriteString(",\n")
		}
		path, err := json.Marshal(in.Path)
		if err != nil {
			return nil, err
		}
		state := ""
		if was := r.inputs[in].state; was != Missing {
			state = hex.EncodeToString(was[:])
		}
		fmt.Fprintf(&b, "[%q, %s, %q]", in.Kind, path, state)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (r *Record) UnmarshalJSON(text []byte) error {
	var list [][3]string
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*r = *newRecord()
	for _, e := range list {
		var state State
		if e[2] != "" {
			if n, err := hex.Decode(state[:], []byte(e[2])); err != nil || n != len(state) {
				return errors.New("a state is not a SHA-256")
			}
		}
		r.inputs[Input{Kind(e[0]), e[1]}] = found{state: state}
	}
	return nil
}
