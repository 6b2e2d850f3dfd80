// Package goldentest compares the output of tests with files in testdata, and
// rewrites these if the test runs with -update, the repository's only such flag.
//
// A golden is a file with the complete output ([Check]), or a txtar archive whose
// sections are the input and the outputs of a case ([Archive], [CheckSection]).
package goldentest

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files with what the tests produce")

// Updating reports whether the test runs with -update.
func Updating() bool { return *update }

// Check fails the test if the content of the file at path is not got. With -update, Check
// writes the file and creates its folders.
func Check(t *testing.T, path string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err == nil && bytes.Equal(want, got) {
		return
	}
	if Updating() {
		write(t, path, got)
		return
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.Errorf("%s does not exist; run the test with -update to write it:\n%s", path, got)
	case err != nil:
		t.Errorf("read golden file: %v", err)
	default:
		differ(t, path, want, got)
	}
}

// Archive reads a txtar archive, or ends the test if this fails.
func Archive(t *testing.T, path string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatalf("read archive: %v", err)
	}
	return archive
}

// Section returns the content of the named section, and whether it exists.
func Section(archive *txtar.Archive, name string) ([]byte, bool) {
	for _, file := range archive.Files {
		if file.Name == name {
			return file.Data, true
		}
	}
	return nil, false
}

// CheckSection fails the test if the content of the named section of the archive,
// which was read from path, is not got. A missing section equals empty output. With
// -update, the section is replaced or appended in the archive and in its file, or removed
// if got is empty. Other sections and the comment of the archive stay the same.
//
// Sections always end in a newline, so got is compared with one at its end.
func CheckSection(t *testing.T, path string, archive *txtar.Archive, name string, got []byte) {
	t.Helper()
	if len(got) > 0 && !bytes.HasSuffix(got, []byte("\n")) {
		got = append(bytes.Clone(got), '\n')
	}
	want, _ := Section(archive, name)
	if bytes.Equal(want, got) {
		return
	}
	if !Updating() {
		differ(t, path+": section "+name, want, got)
		return
	}
	SetSection(archive, name, got)
	write(t, path, txtar.Format(archive))
}

// SetSection replaces the content of a section, or appends a missing section. Empty data
// removes the section.
func SetSection(archive *txtar.Archive, name string, data []byte) {
	for i := range archive.Files {
		if archive.Files[i].Name != name {
			continue
		}
		if len(data) == 0 {
			archive.Files = append(archive.Files[:i], archive.Files[i+1:]...)
			return
		}
		archive.Files[i].Data = data
		return
	}
	if len(data) > 0 {
		archive.Files = append(archive.Files, txtar.File{Name: name, Data: data})
	}
}

func differ(t *testing.T, what string, want, got []byte) {
	t.Helper()
	t.Errorf("%s differs (-want +got; -update rewrites it):\n%s", what, cmp.Diff(string(want), string(got)))
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatalf("write golden file: %v", err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatalf("write golden file: %v", err)
	}
}
