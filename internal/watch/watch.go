// Package watch waits until a file changes that a run has read.
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

	"github.com/kindsmith/kindsmith/internal/source"
)

// quiet is how long nothing must happen before a change counts as complete:
// editors, formatters and version control write many files, one after the other.
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

// Wait returns when something in the record is not what it was, and nothing has
// happened to it for a moment. It looks at the files' content, so that a file
// which is written again as it was is no change. The error is that of the context,
// or of the system when it cannot watch.
func (w *Watcher) Wait(ctx context.Context, record *source.Record) error {
	if err := w.follow(record); err != nil {
		return err
	}
	for {
		// What happened before the folders were watched has no event.
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

// event returns at the first event that concerns the record.
func (w *Watcher) event(ctx context.Context, record *source.Record) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-w.events.Errors:
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				return nil // some event was lost: it may have been one that matters
			}
			return fmt.Errorf("watching files: %w", err)
		case e := <-w.events.Events:
			if e.Op != fsnotify.Chmod && record.Concerns(e.Name) {
				return nil
			}
		}
	}
}

// settle returns when there has been no event for a moment.
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

// follow watches the folders of a record, and no others. Of a folder that does not
// exist it watches the nearest one above, in which it would be made.
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
			_ = w.events.Remove(dir) // it may have gone by itself
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
