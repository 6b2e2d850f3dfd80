//go:build unix

package state

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSecond(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "state")
	first, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) || !strings.Contains(err.Error(), path) {
		t.Errorf("the second gets %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestKilled opens the folder of a process that is gone while its program still has the lock.
func TestKilled(t *testing.T) {
	path := t.TempDir()
	first, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command("sleep", "0.5")
	program.ExtraFiles = []*os.File{first.Lock()}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	defer program.Wait() //nolint:errcheck // only for the lock
	gone := exec.Command("true")
	if err := gone.Start(); err != nil {
		t.Fatal(err)
	}
	defer gone.Wait() //nolint:errcheck // until then it is a zombie, or runs
	for isRunning(gone.Process.Pid) {
		time.Sleep(time.Millisecond)
	}
	if err := os.WriteFile(filepath.Join(path, "lock"), []byte(strconv.Itoa(gone.Process.Pid)), 0o600); err != nil {
		t.Fatal(err)
	}
	first.lock.Close()
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Open(short, path); err == nil || short.Err() == nil {
		t.Errorf("the program runs, and the folder is open: %v", err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

func TestTemporary(t *testing.T) {
	d, err := Open(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(d.Path); !os.IsNotExist(err) {
		t.Errorf("the folder stays: %v", err)
	}
}
