// Package cache remembers runs that left everything up to date, so that one
// which would only find the same again can be left out.
//
// What is remembered of a run is its configuration, the places that it read and
// a digest of what was in them, and what it had to say. Files count by their
// content. A cache that cannot be read or written makes runs slow, never wrong,
// and so its errors are nobody's concern.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Variable is the environment variable that names the cache's folder; "off" is
// for none.
const Variable = "KINDSMITH_CACHE"

// The beginnings of the names of a cache's files.
const (
	finished   = "run-"
	unfinished = "kindsmith-new-"
)

// maxAge is how long a run is remembered.
const maxAge = 30 * 24 * time.Hour

// Cache is a folder of remembered runs. The nil cache remembers nothing.
type Cache struct{ dir string }

// Open returns the cache that the environment names, by default that of the
// machine's user; nil when there is to be none.
func Open(getenv func(string) string) *Cache {
	switch dir := getenv(Variable); {
	case dir == "off":
		return nil
	case dir != "":
		return &Cache{dir: dir}
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	return &Cache{dir: filepath.Join(dir, "kindsmith", "runs")}
}

// Outcome is what a run had to say.
type Outcome struct {
	// Report is what it wrote about its findings.
	Report []byte `json:"report,omitempty"`
	// Files is how many files it keeps up to date.
	Files int `json:"files"`
}

// entry is the content of a cache's file.
type entry struct {
	Inputs  Inputs  `json:"inputs"`
	Digest  digest  `json:"digest"`
	Outcome Outcome `json:"outcome"`
}

// Run is a run that may be remembered.
type Run struct {
	file  string
	began time.Time
}

// Begin begins a run. The configuration is everything beside the inputs that
// its outcome depends on; it is compared as JSON.
func (c *Cache) Begin(configuration any) *Run {
	if c == nil {
		return nil
	}
	key, err := json.Marshal(configuration)
	if err != nil {
		return nil
	}
	sum := sha256.Sum256(key)
	return &Run{file: filepath.Join(c.dir, finished+hex.EncodeToString(sum[:])), began: time.Now()}
}

// Known returns the outcome of an earlier run that had the same configuration
// and inputs, and after which nothing was out of date.
func (r *Run) Known() (Outcome, bool) {
	if r == nil {
		return Outcome{}, false
	}
	content, err := os.ReadFile(r.file)
	if err != nil {
		return Outcome{}, false
	}
	var e entry
	if err := json.Unmarshal(content, &e); err != nil {
		return Outcome{}, false
	}
	found, _, err := e.Inputs.read()
	if err != nil || found.digest() != e.Digest {
		return Outcome{}, false
	}
	return e.Outcome, true
}

// Keep remembers the run, unless something was changed while it went on. It is
// called before the files that the run makes are written: changes says what will
// be in them, nil for one that goes. If they are not written after all, or are
// changed later, the inputs are not what is remembered.
func (r *Run) Keep(inputs Inputs, changes map[string][]byte, outcome Outcome) {
	if r == nil {
		return
	}
	found, newest, err := inputs.read()
	if err != nil || !newest.Before(r.settled(newest)) {
		return
	}
	for path, content := range changes {
		if content == nil {
			delete(found, path)
		} else {
			found[path] = sha256.Sum256(content)
		}
	}
	content, err := json.Marshal(entry{Inputs: inputs, Digest: found.digest(), Outcome: outcome})
	if err != nil {
		return
	}
	r.write(content)
}

// settled returns before when a change must have been made that the run has seen
// for certain: some file systems know no fractions of seconds, and others have
// clocks that tick slowly.
func (r *Run) settled(newest time.Time) time.Time {
	if newest.Nanosecond() == 0 {
		return r.began.Truncate(time.Second)
	}
	return r.began.Add(-20 * time.Millisecond)
}

// write puts an entry in its place, and throws away old ones.
func (r *Run) write(content []byte) {
	dir := filepath.Dir(r.file)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return
	}
	f, err := os.CreateTemp(dir, unfinished)
	if err != nil {
		return
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), r.file) != nil {
		_ = os.Remove(f.Name())
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		// The folder may have been named by mistake, and have other files.
		if !isEntry(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && r.began.Sub(info.ModTime()) > maxAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// isEntry reports whether a name is that of a cache's file, or of one that was
// being written.
func isEntry(name string) bool {
	if strings.HasPrefix(name, unfinished) {
		return true
	}
	key, err := hex.DecodeString(strings.TrimPrefix(name, finished))
	return strings.HasPrefix(name, finished) && err == nil && len(key) == sha256.Size
}
