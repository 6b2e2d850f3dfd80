package load

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/provenance"
	"github.com/kindsmith/kindsmith/internal/core/source"
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
	parents := []string{filepath.Dir(dir)}
	if older := r.olderIn(dir); older != parents[0] && isWithin(older, p.Module.Dir) {
		parents = append(parents, older)
	}
	for _, parent := range parents {
		names, _ := r.files.List(source.Folders, parent)
		for _, name := range names {
			if near := filepath.Join(parent, name); near != dir {
				found = append(found, near)
			}
		}
	}
	found = append(found, r.former(p, dir)...)
	// The newest version may be anywhere: in or beside a folder above, or imported by a conversion.
	found = append(found, r.newest(dir, p.Module.Dir)...)
	for _, imported := range p.Imports {
		if m := imported.Module; m != nil && m.Main && len(imported.GoFiles) > 0 {
			if near := filepath.Dir(imported.GoFiles[0]); r.isNewest(near, dir) {
				found = append(found, near)
			}
		}
	}
	return found
}

// former returns the folders of what a package's generated tests import: they convert all older versions that an earlier run
// wrote, also those that are now elsewhere or no longer declared.
func (r *Result) former(p *packages.Package, dir string) []string {
	var found []string
	names, _ := r.files.List(source.TestFiles, dir)
	for _, name := range names {
		content, err := r.files.ReadFile(filepath.Join(dir, name))
		if err != nil || !provenance.Of(name, content).Ours {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", content, parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			rest, ok := strings.CutPrefix(imported, p.Module.Path+"/")
			older := filepath.Join(p.Module.Dir, filepath.FromSlash(rest))
			if files, _ := r.files.List(source.GoFiles, older); ok && older != dir && len(files) > 0 {
				found = append(found, older)
			}
		}
	}
	return found
}

// newest returns the folders, in a module and in or beside the folders above one, whose older versions are
// beside that one.
func (r *Result) newest(dir, module string) []string {
	var found []string
	for above := filepath.Dir(dir); isWithin(above, module); above = filepath.Dir(above) {
		names, _ := r.files.List(source.Folders, above)
		for _, name := range append(names, ".") {
			if near := filepath.Join(above, name); near != dir && r.isNewest(near, dir) {
				found = append(found, near)
			}
		}
	}
	return found
}

func (r *Result) isNewest(near, dir string) bool {
	return isVersion.MatchString(filepath.Base(near)) && r.olderIn(near) == filepath.Dir(dir)
}

// missing is the text about a pattern without Go files. If it names an older version that is not
// generated yet, it says what writes it.
func (r *Result) missing(pattern, text string) string {
	dir := filepath.Join(r.cfg.Dir, filepath.FromSlash(strings.TrimSuffix(pattern, "/...")))
	module, ok := r.listing.Above(r.cfg.Dir, "go.mod")
	if !ok || !strings.HasPrefix(pattern, ".") || r.cfg.VersionTag == "" {
		return text
	}
	declares := regexp.MustCompile(`(?m)^//[ \t]*\+` + regexp.QuoteMeta(r.cfg.VersionTag) + `\(.*"` + regexp.QuoteMeta(filepath.Base(dir)) + `"`)
	for _, near := range r.newest(dir, module) {
		names, _ := r.files.List(source.GoFiles, near)
		for _, name := range names {
			content, err := r.files.ReadFile(filepath.Join(near, name))
			rel, outside := filepath.Rel(r.cfg.Dir, near)
			if err == nil && outside == nil && declares.Match(content) {
				return fmt.Sprintf("%s; it is an older version of ./%s: name that package, which generates it", text, filepath.ToSlash(rel))
			}
		}
	}
	return text
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
