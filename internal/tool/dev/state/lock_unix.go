//go:build unix

package state

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
)

const hasLocks = true

// tryLock locks a file until all processes that have it open have closed it.
func tryLock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errInUse
		case err != nil:
			return fmt.Errorf("lock %s: %w", f.Name(), err)
		}
		return nil
	}
}

// isRunning reports whether a process exists. Number 0 is one that is about to say its number. A container without init
// has ended processes, too, which Linux reports as zombies.
func isRunning(pid int) bool {
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}
