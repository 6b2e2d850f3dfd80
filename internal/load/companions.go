package load

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/foreign"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// groupLine finds the API group that the comments of a file declare.
var groupLine = regexp.MustCompile(`(?m)^//[ \t]*\+groupName=[ \t]*"?([^"\s]+)`)

// isVersion matches the names of folders that may be versions of one API.
var isVersion = regexp.MustCompile(`^v[1-9]\d*((alpha|beta)[1-9]\d*)?$`)

// addCompanions finds the packages where other versions of the roots' APIs may be: beside them, in the folders
// of older versions, or where the older versions are these. They declare the same group, or one of the two
// declares none and both folders are named like versions. The output for a package then does not depend on
// which others are asked for.
func (r *Result) addCompanions(roots []*packages.Package) error {
	dirs := map[string]bool{}
	for _, p := range roots {
		if len(p.GoFiles) > 0 {
			dirs[filepath.Dir(p.GoFiles[0])] = true
		}
	}
	queue := slices.Clone(roots)
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if len(p.GoFiles) == 0 || p.Module == nil || !p.Module.Main {
			continue
		}
		dir := filepath.Dir(p.GoFiles[0])
		group := r.groupOf(dir)
		if group == "" && !isVersion.MatchString(filepath.Base(dir)) || dir == p.Module.Dir {
			continue
		}
		for _, near := range r.near(p, dir) {
			if dirs[near] {
				continue
			}
			name := filepath.Base(near)
			if !mayShare(group, r.groupOf(near), isVersion.MatchString(name) && isVersion.MatchString(filepath.Base(dir))) {
				continue
			}
			if _, err := r.files.ReadFile(filepath.Join(near, "go.mod")); err == nil {
				continue
			}
			dirs[near] = true
			rel, err := filepath.Rel(dir, near)
			if err != nil {
				return err
			}
			found, err := r.list(path.Join(p.PkgPath, filepath.ToSlash(rel)))
			if err != nil {
				return err
			}
			for _, q := range found {
				if len(q.GoFiles) > 0 {
					r.companions = append(r.companions, q)
					r.beside[q.PkgPath] = true
					queue = append(queue, q)
				}
			}
		}
	}
	return nil
}

// near returns the folders where other versions of a package may be.
func (r *Result) near(p *packages.Package, dir string) []string {
	var found []string
	below := func(parent string, accept func(dir string) bool) {
		names, _ := r.files.List(source.Folders, parent)
		for _, name := range names {
			if near := filepath.Join(parent, strings.TrimSuffix(name, "/")); near != dir && accept(near) {
				found = append(found, near)
			}
		}
	}
	all := func(string) bool { return true }
	below(filepath.Dir(dir), all)
	if older := r.olderIn(dir); older != filepath.Dir(dir) && isWithin(older, p.Module.Dir) {
		below(older, all)
	}
	// The newest version may be anywhere: in or beside a folder above, or imported by a conversion.
	isNewest := func(near string) bool {
		return isVersion.MatchString(filepath.Base(near)) && filepath.Dir(near) != filepath.Dir(dir) && r.olderIn(near) == filepath.Dir(dir)
	}
	for above := filepath.Dir(dir); isWithin(above, p.Module.Dir); above = filepath.Dir(above) {
		if isNewest(above) {
			found = append(found, above)
		}
		if above != filepath.Dir(dir) {
			below(above, isNewest)
		}
	}
	for _, imported := range p.Imports {
		if m := imported.Module; m != nil && m.Main && len(imported.GoFiles) > 0 {
			if near := filepath.Dir(imported.GoFiles[0]); isNewest(near) {
				found = append(found, near)
			}
		}
	}
	return found
}

// isWithin reports whether a folder is another or below it.
func isWithin(dir, root string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// olderIn returns the folder that has the folders of a package's older versions.
func (r *Result) olderIn(dir string) string {
	pattern := r.cfg.VersionsDir
	names, _ := r.files.List(source.GoFiles, dir)
	for _, name := range names {
		content, err := r.files.ReadFile(filepath.Join(dir, name))
		if err != nil || r.cfg.OutputTag == "" || !bytes.Contains(content, []byte("+"+r.cfg.OutputTag)) {
			continue
		}
		line := regexp.MustCompile(`(?m)^//[ \t]*\+` + regexp.QuoteMeta(r.cfg.OutputTag) + `\([ \t]*["` + "`" + `]([^"` + "`" + `\n]*)`)
		if m := line.FindSubmatch(content); m != nil {
			pattern = string(m[1])
			break
		}
	}
	older, err := model.ParseVersionsDir(pattern)
	if err != nil {
		older = model.DefaultVersionsDir
	}
	return filepath.Join(dir, filepath.FromSlash(older))
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
