package driver

import (
	"bytes"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff returns the changes to files as one unified diff that `git apply` and
// `patch -p1` understand. It is empty if nothing would change.
func Diff(files []*File) []byte {
	var out bytes.Buffer
	for _, f := range files {
		if !f.Changed() {
			continue
		}
		name := filepath.ToSlash(f.Name)
		before, after := "a/"+name, "b/"+name
		if f.Previous == nil {
			before = "/dev/null"
		}
		if f.Content == nil {
			after = "/dev/null"
		}
		out.Write(diff.Diff(before, f.Previous, after, f.Content))
	}
	return out.Bytes()
}
