package load

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/source"
)

// groupLine finds the API group that the comments of a file declare.
var groupLine = regexp.MustCompile(`(?m)^//[ \t]*\+groupName=[ \t]*"?([^"\s]+)`)

// isVersion matches the names of folders that may be versions of one API.
var isVersion = regexp.MustCompile(`^v[1-9]\d*((alpha|beta)[1-9]\d*)?$`)

// addCompanions finds the packages beside the roots that may be versions of the same API: they
// declare its group, or one of the two declares none and both folders are named like versions. The
// output for a package then does not depend on which others are asked for.
func (r *Result) addCompanions(roots []*packages.Package) error {
	dirs := map[string]bool{}
	for _, p := range roots {
		if len(p.GoFiles) > 0 {
			dirs[filepath.Dir(p.GoFiles[0])] = true
		}
	}
	for _, p := range roots {
		if len(p.GoFiles) == 0 || p.Module == nil || !p.Module.Main {
			continue
		}
		dir := filepath.Dir(p.GoFiles[0])
		group := r.groupOf(dir)
		if group == "" && !isVersion.MatchString(filepath.Base(dir)) || dir == p.Module.Dir {
			continue
		}
		names, _ := r.files.List(source.Folders, filepath.Dir(dir))
		for _, name := range names {
			name = strings.TrimSuffix(name, "/")
			sibling := filepath.Join(filepath.Dir(dir), name)
			if dirs[sibling] {
				continue
			}
			if !mayShare(group, r.groupOf(sibling), isVersion.MatchString(name) && isVersion.MatchString(filepath.Base(dir))) {
				continue
			}
			if _, err := r.files.ReadFile(filepath.Join(sibling, "go.mod")); err == nil {
				continue
			}
			dirs[sibling] = true
			found, err := r.list(path.Join(path.Dir(p.PkgPath), name))
			if err != nil {
				return err
			}
			for _, q := range found {
				if len(q.GoFiles) > 0 {
					r.companions = append(r.companions, q)
					r.beside[q.PkgPath] = true
				}
			}
		}
	}
	return nil
}

// mayShare reports whether packages with two groups, or "", may be of one API.
func mayShare(group, other string, versions bool) bool {
	if group == "" || other == "" {
		return versions && group != other
	}
	return group == other
}

// groupOf returns the API group that a folder's package declares, "" if none.
func (r *Result) groupOf(dir string) string {
	names, _ := r.files.List(source.GoFiles, dir)
	for _, name := range names {
		content, err := r.files.ReadFile(filepath.Join(dir, name))
		if err == nil && bytes.Contains(content, []byte("+"+foreign.GroupName)) {
			if m := groupLine.FindSubmatch(content); m != nil {
				return string(m[1])
			}
		}
	}
	return ""
}
