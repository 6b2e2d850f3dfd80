package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/cache"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// begin starts a run that the cache may know. The outcome of the run depends only on
// its inputs and on what it is asked for.
func begin(dir string, asked map[string]any) *cache.Run {
	environment, ok := driver.Environment(source.NewFS(nil))
	dir, err := filepath.Abs(dir)
	executable, perr := os.Executable()
	program, ierr := identity(executable)
	if !ok || err != nil || perr != nil || ierr != nil {
		return nil
	}
	return cache.Open(os.Getenv).Begin(map[string]any{"program": program, "go": environment, "dir": dir, "asked": asked})
}

// identity identifies a build of the program: the go command writes the build ID into the first
// bytes of an executable.
func identity(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	sum := sha256.Sum256(head[:n])
	return []string{version(), info.ModTime().String(), strconv.FormatInt(info.Size(), 10), hex.EncodeToString(sum[:])}, nil
}
