// Package cache remembers runs that left everything up to date. Runs whose inputs have not changed
// since are skipped.
//
// [Open] finds the [Cache], and a [Run] asks it for the [Outcome] of the same run before.
//
// An entry has the configuration of a run, the record of its inputs, and its output. Files are
// compared by content. A cache that cannot be read or written makes runs slow but not wrong, so its
// errors are not reported.
//
// The entry's record is in the state after the files were written (source.Record.After). Commands validate
// and test keep their rule programs in the same way, and load these instead of Go packages.
package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Variable is the environment variable that names the cache's folder; "off" is
// for none.
const Variable = "KINDSMITH_CACHE"

// prefix is the beginning of the names of a cache's files.
const prefix = "run-"

// maxAge is the time after which a run is removed from the cache.
const maxAge = 30 * 24 * time.Hour

// Cache is a folder of recorded runs. The nil cache records nothing.
type Cache struct{ dir string }

// Open returns the cache that the environment names, by default that of the
// machine's user; nil if there is none.
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
	// Content is the output of the run: its diagnostics, or rule programs.
	Content []byte `json:"content,omitempty"`
	// Files is the number of files that it keeps up to date.
	Files int `json:"files"`
}

// entry is the content of a cache's file.
type entry struct {
	Record  *source.Record `json:"record"`
	Outcome Outcome        `json:"outcome"`
}

// Run is a run that may be recorded.
type Run struct {
	file  string
	began time.Time
}

// Begin begins a run. Its outcome depends only on the inputs and the configuration, which is
// compared as JSON.
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

// Known returns the outcome of a successful earlier run with the same configuration and inputs.
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

// Keep records the run with its inputs, unless an input changed during the run: the go command may
// have read another state than the run. Call it before writing the run's files. Changes has their
// new contents, nil for a removed file. If they are not written, or are changed later, the inputs
// differ from the entry.
func (r *Run) Keep(record *source.Record, changes map[string][]byte, outcome Outcome) {
	if r == nil || !record.Newest().Before(r.settled(record.Newest())) || !record.Same(source.NewFS(nil)) {
		return
	}
	content, err := json.Marshal(entry{Record: record.After(changes), Outcome: outcome})
	if err != nil {
		return
	}
	r.write(content)
}

// settled returns the time before which the run has certainly seen all changes: some file systems
// have modification times in seconds, some have slow clocks, and those of other machines may lag.
func (r *Run) settled(newest time.Time) time.Time {
	began := r.began.Add(-clockSkew)
	if newest.Nanosecond() == 0 {
		return began.Truncate(time.Second)
	}
	return began
}

// clockSkew is the largest lag of a file system's clock.
const clockSkew = 2 * time.Second

// write writes an entry and removes old ones.
func (r *Run) write(content []byte) {
	dir := filepath.Dir(r.file)
	if err := source.WriteFile(r.file, content); err != nil {
		return
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		// The folder may have other files, if it was named by mistake.
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
