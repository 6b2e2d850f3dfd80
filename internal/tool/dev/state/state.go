// Package state is the folder with the state of a server, which one process uses at a time.
//
// [Open] locks a folder, and returns the [Dir].
package state

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// leaveTime is how long the programs of a process that was killed may take to stop.
const leaveTime = 30 * time.Second

// Dir is a folder in use.
type Dir struct {
	// Path is the absolute folder.
	Path string
	// Temporary is set if Close removes the folder.
	Temporary bool
	lock      *os.File
}

// errInUse means that a process has the lock.
var errInUse = errors.New("the folder is in use")

// Open takes a folder, which it creates if it does not exist; "" is a temporary folder. If another process uses it, the
// error has its number. Open waits for the programs of a process that was killed.
func Open(ctx context.Context, path string) (*Dir, error) {
	d := &Dir{Temporary: path == ""}
	var err error
	if d.Temporary {
		d.Path, err = os.MkdirTemp("", "kindsmith-dev-")
	} else if d.Path, err = filepath.Abs(path); err == nil {
		err = os.MkdirAll(d.Path, 0o700)
	}
	if err != nil {
		return nil, err
	}
	if d.lock, err = os.OpenFile(filepath.Join(d.Path, "lock"), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return nil, err
	}
	if err := d.take(ctx); err != nil {
		_ = d.lock.Close()
		return nil, err
	}
	if err := d.lock.Truncate(0); err == nil {
		_, _ = d.lock.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // for the message of others
	}
	return d, nil
}

// take locks the folder.
func (d *Dir) take(ctx context.Context) error {
	deadline := time.Now().Add(leaveTime)
	for {
		err := tryLock(d.lock)
		if !errors.Is(err, errInUse) {
			return err
		}
		pid := d.owner()
		if isRunning(pid) || time.Now().After(deadline) {
			return fmt.Errorf("another kindsmith dev, process %d, uses %s; stop it, or name another folder with --dir", pid, d.Path)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// owner returns the number of the process that took the folder last; 0 if it is not known.
func (d *Dir) owner() int {
	text, err := io.ReadAll(io.NewSectionReader(d.lock, 0, 32))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

// Lock is the file that is locked as long as any process has it open; nil if the system has no such locks.
func (d *Dir) Lock() *os.File {
	if !hasLocks {
		return nil
	}
	return d.lock
}

// Close leaves the folder, and removes it if it is temporary.
func (d *Dir) Close() error {
	err := d.lock.Close()
	if d.Temporary {
		err = errors.Join(err, os.RemoveAll(d.Path))
	}
	return err
}
