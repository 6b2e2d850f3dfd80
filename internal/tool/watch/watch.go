// Package watch waits for changes of the files that a run has read.
//
// A [Watcher] is told what a run has read and written.
//
// Files the run wrote are in their recorded state, so they trigger no run.
package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// quiet is the time without events after which a change counts as complete, since editors,
// formatters and version control write many files.
const quiet = 50 * time.Millisecond

// Watcher watches the folders of a record.
type Watcher struct{ events *fsnotify.Watcher }

// New returns a watcher. Close it when it is no longer needed.
func New() (*Watcher, error) {
	events, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	return &Watcher{events}, nil
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.events.Close() }

// Wait returns when an input of the record has changed and there have been no events for a moment.
// It compares contents, so rewriting a file with the same content is not a change. The error is
// that of the context or of the operating system.
func (w *Watcher) Wait(ctx context.Context, record *source.Record) error {
	if err := w.follow(record); err != nil {
		return err
	}
	for {
		// Changes before the folders were watched have no events.
		if !record.Same(source.NewFS(nil)) {
			return w.settle(ctx, record)
		}
		if err := w.event(ctx, record); err != nil {
			return err
		}
		if err := w.settle(ctx, record); err != nil {
			return err
		}
	}
}

// event returns after the first event that concerns the record.
func (w *Watcher) event(ctx context.Context, record *source.Record) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.events.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				return nil // an event was lost, perhaps a relevant one
			}
			return fmt.Errorf("watching files: %w", err)
		case e := <-w.events.Events:
			if e.Op != fsnotify.Chmod && record.Concerns(e.Name) {
				return nil
			}
		}
	}
}

// settle returns after a moment without events.
func (w *Watcher) settle(ctx context.Context, record *source.Record) error {
	for {
		moment, cancel := context.WithTimeout(ctx, quiet)
		err := w.event(moment, record)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return nil
		case err != nil:
			return err
		}
	}
}

// follow watches exactly the folders of a record. For a folder that does not exist, it watches the
// nearest existing parent.
func (w *Watcher) follow(record *source.Record) error {
	wanted := map[string]bool{}
	for _, dir := range record.Folders() {
		for !isFolder(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
		wanted[dir] = true
	}
	have := w.events.WatchList()
	for _, dir := range have {
		if !wanted[dir] {
			_ = w.events.Remove(dir) // it may be gone already
		}
	}
	for dir := range wanted {
		if slices.Contains(have, dir) {
			continue
		}
		if err := w.events.Add(dir); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, os.ErrPermission) {
			return fmt.Errorf("watching %s: %w", dir, err)
		}
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
