package load

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// groupLine finds the API group that the comments of a file declare.
var groupLine = regexp.MustCompile(`(?m)^//[ \t]*\+groupName=[ \t]*"?([^"\s]+)`)

// addCompanions finds the packages beside the roots that declare the same API group,
// so that the definition of a kind has all its versions, whichever are asked for. Those
// of a root in which everything is generated become roots: it is made from one of them.
func (r *Result) addCompanions(roots []*packages.Package) ([]*packages.Package, error) {
	dirs := map[string]bool{}
	for _, p := range roots {
		if len(p.GoFiles) > 0 {
			dirs[filepath.Dir(p.GoFiles[0])] = true
		}
	}
	asked := roots
	roots = slices.Clone(asked)
	for _, p := range asked {
		if len(p.GoFiles) == 0 || p.Module == nil || !p.Module.Main {
			continue
		}
		dir := filepath.Dir(p.GoFiles[0])
		group, byHand := r.groupOf(dir)
		if group == "" || dir == p.Module.Dir {
			continue
		}
		names, _ := r.files.List(source.Folders, filepath.Dir(dir))
		for _, name := range names {
			sibling := filepath.Join(filepath.Dir(dir), name)
			if dirs[sibling] {
				continue
			}
			if other, _ := r.groupOf(sibling); other != group {
				continue
			}
			if _, err := r.files.ReadFile(filepath.Join(sibling, "go.mod")); err == nil {
				continue
			}
			dirs[sibling] = true
			found, err := r.list(path.Join(path.Dir(p.PkgPath), name))
			if err != nil {
				return nil, err
			}
			for _, q := range found {
				switch {
				case len(q.GoFiles) == 0:
				case byHand:
					r.companions = append(r.companions, q)
				default:
					roots = append(roots, q)
				}
			}
		}
	}
	return roots, nil
}

// groupOf returns the API group that a folder's package declares, and whether a person
// wrote a file of it.
func (r *Result) groupOf(dir string) (group string, byHand bool) {
	names, _ := r.files.List(source.GoFiles, dir)
	for _, name := range names {
		if byHand && group != "" {
			break
		}
		content, err := r.files.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		byHand = byHand || !signature.Of(name, content).Ours
		if group == "" && bytes.Contains(content, []byte("+"+foreign.GroupName)) {
			if m := groupLine.FindSubmatch(content); m != nil {
				group = string(m[1])
			}
		}
	}
	return group, byHand
}
