// Package cache remembers runs that left everything up to date. A run whose
// inputs have not changed since is skipped.
//
// An entry holds the configuration of a run, the record of what it read, and what
// it reported. Files count by their content. A cache that cannot be read or
// written makes runs slow, never wrong, so its errors are not reported.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kindsmith/kindsmith/internal/source"
)

// Variable is the environment variable that names the cache's folder; "off" is
// for none.
const Variable = "KINDSMITH_CACHE"

// prefix is the beginning of the names of a cache's files.
const prefix = "run-"

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

// Outcome is the result of a run.
type Outcome struct {
	// Content is what the run made: its report, or rule programs.
	Content []byte `json:"content,omitempty"`
	// Files is how many files it keeps up to date.
	Files int `json:"files"`
}

// entry is the content of a cache's file.
type entry struct {
	Record  *source.Record `json:"record"`
	Outcome Outcome        `json:"outcome"`
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
	return &Run{file: filepath.Join(c.dir, prefix+hex.EncodeToString(sum[:])), began: time.Now()}
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
	if err := json.Unmarshal(content, &e); err != nil || e.Record == nil || e.Record.Len() == 0 {
		return Outcome{}, false
	}
	return e.Outcome, e.Record.Same(source.NewFS(nil))
}

// Keep remembers the run by the record of what it read, unless something in it was
// changed while the run went on: the go command may have read another state than
// the run did. It is called before the files that the run makes are written.
// Changes says what will be in them, nil for one that is removed. If they are not
// written after all, or are changed later, the inputs differ from the entry.
func (r *Run) Keep(record *source.Record, changes map[string][]byte, outcome Outcome) {
	if r == nil || !record.Newest().Before(r.settled(record.Newest())) {
		return
	}
	content, err := json.Marshal(entry{Record: record.After(changes), Outcome: outcome})
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

// write puts an entry in its place, and removes old ones.
func (r *Run) write(content []byte) {
	dir := filepath.Dir(r.file)
	if err := source.WriteFile(r.file, content); err != nil {
		return
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

// isEntry reports whether a name is that of a cache's file.
func isEntry(name string) bool {
	key, found := strings.CutPrefix(name, prefix)
	sum, err := hex.DecodeString(key)
	return found && err == nil && len(sum) == sha256.Size
}
