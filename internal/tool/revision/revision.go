// Package revision reads the files of a git revision. It changes nothing in the repository.
//
// [Extract] returns the [Tree] of a revision, and an error if git does not know it.
package revision

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kindsmith/kindsmith/internal/core/source"
)

// Tree is a copy of all files of a revision in a temporary folder.
type Tree struct {
	// Name is the revision as users wrote it.
	Name string
	// root is the folder that corresponds to repository.
	root, repository string
}

// Extract copies the files of a revision of the repository that a folder is in. Callers must call
// Remove.
func Extract(dir, rev string) (*Tree, error) {
	repository := source.Repository(dir)
	if repository == "" {
		return nil, fmt.Errorf("%s is in no git repository, so there is no revision %s", dir, rev)
	}
	commit, err := git(repository, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("git knows no revision %s: %w", rev, err)
	}
	root, err := os.MkdirTemp("", "kindsmith-revision-")
	if err != nil {
		return nil, err
	}
	t := &Tree{Name: rev, root: filepath.Join(root, "tree"), repository: repository}
	index := append(os.Environ(), "GIT_INDEX_FILE="+filepath.Join(root, "index"))
	if _, err = git(repository, index, "read-tree", strings.TrimSpace(commit)); err == nil {
		_, err = git(repository, index, "checkout-index", "--all", "--prefix="+filepath.ToSlash(t.root)+"/")
	}
	if err != nil {
		return nil, errors.Join(err, t.Remove())
	}
	return t, nil
}

// Remove removes the copy.
func (t *Tree) Remove() error { return os.RemoveAll(filepath.Dir(t.root)) }

// Path returns the path of the copy of a file or folder of the repository; false if the repository
// does not contain it.
func (t *Tree) Path(path string) (string, bool) {
	rel, err := filepath.Rel(t.repository, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.Join(t.root, rel), true
}

// Display returns the name of a copied file as git writes it, such as main:api/v1/types.go.
func (t *Tree) Display(path string) string {
	rel, err := filepath.Rel(t.root, path)
	if err != nil {
		return path
	}
	return t.Name + ":" + filepath.ToSlash(rel)
}

// git runs git in a folder and returns its output.
func git(dir string, env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && stderr.Len() > 0 {
		return "", errors.New(strings.TrimSpace(stderr.String()))
	}
	return string(out), err
}
