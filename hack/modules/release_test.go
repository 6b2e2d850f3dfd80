package main

import (
	archivezip "archive/zip"
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// clone returns a repository with the files of this one, as they are on disk, in one commit.
func clone(t *testing.T) *Repo {
	t.Helper()
	r, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	names, err := r.files(".")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range names {
		content, err := os.ReadFile(r.path(name))
		if err != nil {
			continue // a link to a folder
		}
		save(t, filepath.Join(dir, filepath.FromSlash(name)), string(content))
	}
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "config", "user.name", "test")
	git(t, dir, "config", "user.email", "test@example.com")
	git(t, dir, "config", "core.autocrlf", "false")
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "-m", "all")
	return open(t, dir)
}

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := gitOutput(dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func save(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

var today = time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)

// TestRepository checks the modules of this repository.
func TestRepository(t *testing.T) {
	r := open(t, ".")
	if err := r.Check(); err != nil {
		t.Error(err)
	}
	for i, m := range r.Order() {
		for _, other := range m.requires(r) {
			if !strings.Contains(dirs(r.Order()[:i]), " "+other.Dir+" ") {
				t.Errorf("%s is before %s, which it requires", m.Dir, other.Dir)
			}
		}
	}
}

// TestBehind lowers a requirement of two modules. Only the one with the main module's version of Kubernetes' libraries is
// reported: the other has the oldest versions that users may have. Then a module outside the workspace raises another one.
func TestBehind(t *testing.T) {
	const library = "sigs.k8s.io/json"
	r := open(t, ".")
	for _, m := range r.Modules {
		if m.Dir == "examples/pipeline" || m.Dir == "runtime" {
			if err := m.Mod.AddRequire(library, "v0.0.0-20200101000000-000000000000"); err != nil {
				t.Fatal(err)
			}
		}
	}
	err := r.Check()
	if err == nil || !strings.HasPrefix(err.Error(), "examples/pipeline/go.mod: does not require "+library+" v") || strings.Contains(err.Error(), "\n") {
		t.Errorf("the modules are reported as\n%v", err)
	}

	r = open(t, ".")
	raised := 0
	for _, m := range r.Modules {
		for _, req := range m.Mod.Require {
			if req.Mod.Path != library || !r.compiledOnce(m) {
				continue
			}
			if m.Dir != "test/published" {
				raised++
			} else if err := m.Mod.AddRequire(library, "v0.0.0-20990101000000-000000000000"); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = r.Check()
	if err == nil || raised < 8 || strings.Count(err.Error(), "does not require "+library+" v0.0.0-2099") != raised || strings.Contains(err.Error(), "test/published") {
		t.Errorf("%d modules are behind test/published, reported as\n%v", raised, err)
	}
}

func dirs(modules []*Module) string {
	text := " "
	for _, m := range modules {
		text += m.Dir + " "
	}
	return text
}

// TestRelease makes two releases in a clone, and compares the modules with those that the go command
// makes from the tags.
func TestRelease(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the repository")
	}
	r := clone(t)
	for _, version := range []string{"v0.1.0", "v0.2.0-rc.1"} {
		if version != "v0.1.0" {
			notes, err := os.ReadFile(r.path(changelog))
			if err != nil {
				t.Fatal(err)
			}
			save(t, r.path(changelog), strings.Replace(string(notes), "## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- A thing.\n", 1))
			git(t, r.Root, "commit", "--quiet", "--all", "-m", "a thing")
		}
		before, err := os.ReadFile(r.path(changelog))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Release(version, today); err != nil {
			t.Fatal(err)
		}
		if dirty := git(t, r.Root, "status", "--porcelain"); dirty != "" {
			t.Errorf("%s leaves changes:\n%s", version, dirty)
		}
		if subject := git(t, r.Root, "log", "-1", "--format=%s"); subject != "release: "+version+"\n" {
			t.Errorf("the commit is %q", subject)
		}
		tags := strings.Fields(git(t, r.Root, "tag", "--points-at", "HEAD"))
		if len(tags) != len(published) {
			t.Errorf("%s has the tags %q", version, tags)
		}
		notes, err := os.ReadFile(r.path(changelog))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(notes), "\n## [Unreleased]\n\n## ["+version[1:]+"] - 2026-03-04\n") {
			t.Errorf("%s has no section for %s", changelog, version)
		}
		if entries, err := notesOf(notes, version); err != nil || entries != unreleasedOf(before) || len(entries) < 5 {
			t.Errorf("the notes of %s are %q, %v; they were %q", version, entries, err, unreleasedOf(before))
		}
		r = open(t, r.Root)
		if err := r.Check(); err != nil {
			t.Error(err)
		}
		compareTags(t, r, version)
	}
	if err := r.Release("v0.2.0-rc.1", today); err == nil || !strings.Contains(err.Error(), "the tag runtime/v0.2.0-rc.1 exists") {
		t.Errorf("the release exists: %v", err)
	}
	if err := r.Release("v0.1.5", today); err == nil || !strings.Contains(err.Error(), "release a version after v0.2.0-rc.1") {
		t.Errorf("a release before the last: %v", err)
	}
}

// unreleasedOf returns the entries without a release.
func unreleasedOf(text []byte) string {
	_, section, _ := strings.Cut(string(text), "\n## [Unreleased]\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.TrimSpace(section) + "\n"
}

// compareTags checks the sums in the files go.sum: those of the archives that the go command makes.
func compareTags(t *testing.T, r *Repo, version string) {
	t.Helper()
	sums := map[string]string{}
	for _, m := range r.Order() {
		dir := m.Dir
		if dir == "." {
			dir = ""
		}
		var archive bytes.Buffer
		if err := zip.CreateFromVCS(&archive, module.Version{Path: m.Path(), Version: version}, r.Root, m.Tag(version), dir); err != nil {
			t.Fatal(err)
		}
		sum, err := hashZip(archive.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		sums[m.Path()] = sum
		if m.Dir != "." && !strings.Contains(names(t, archive.Bytes()), "/LICENSE\n") {
			t.Errorf("%s has no license", m.Dir)
		}
	}
	checked := 0
	for _, m := range r.Order() {
		text, err := os.ReadFile(r.path(path.Join(m.Dir, "go.sum")))
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range m.requires(r) {
			checked++
			if line := other.Path() + " " + version + " " + sums[other.Path()] + "\n"; !strings.Contains(string(text), line) {
				t.Errorf("%s/go.sum has no line %s", m.Dir, line)
			}
			if n := strings.Count(string(text), other.Path()+" "); n != 2 { // the archive, and its go.mod file
				t.Errorf("%s/go.sum has %d lines about %s", m.Dir, n, other.Path())
			}
		}
	}
	if checked == 0 {
		t.Error("no module requires another")
	}
}

func names(t *testing.T, archive []byte) string {
	t.Helper()
	r, err := archivezip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range r.File {
		b.WriteString(f.Name + "\n")
	}
	return b.String()
}

// TestMistakes checks what stops a release, and that nothing has changed then.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "config", "user.name", "test")
	git(t, dir, "config", "user.email", "test@example.com")
	for _, m := range published {
		name := path.Join("example.com", m)
		text := "module " + name + "\n\ngo 1.26.0\n"
		if m == "webhook" {
			text += "\nrequire example.com/runtime v0.1.0\n"
		}
		save(t, filepath.Join(dir, m, "go.mod"), text)
		save(t, filepath.Join(dir, m, "go.sum"), "")
	}
	save(t, filepath.Join(dir, "LICENSE"), "all")
	save(t, filepath.Join(dir, "tests", "go.mod"), "module example.com/tests\n\nrequire example.com/runtime v0.1.0\n\nreplace example.com/runtime => ../runtime\n")
	const full = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- All.\n"
	save(t, filepath.Join(dir, changelog), full)
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "-m", "all")
	for name, test := range map[string]struct {
		version, file, text, want string
		dirty                     bool
	}{
		"no version":              {version: "0.1.0", want: `"0.1.0" is not a version such as v0.1.0`},
		"a short version":         {version: "v0.1", want: `"v0.1" is not a version`},
		"a pseudo-version":        {version: "v0.0.0-20260102030405-0123456789ab", want: "is not a version"},
		"a major version":         {version: "v2.0.0", want: "need /v2 at the end of all module paths"},
		"changes":                 {version: "v0.1.0", file: "LICENSE", text: "none", dirty: true, want: "the working tree has changes"},
		"no section":              {version: "v0.1.0", file: changelog, text: "# Changelog\n", want: "the section ## [Unreleased] is missing"},
		"no entries":              {version: "v0.1.0", file: changelog, text: "# Changelog\n\n## [Unreleased]\n\n## [0.0.1]\n", want: "the section ## [Unreleased] is empty"},
		"replace":                 {version: "v0.1.0", file: "webhook/go.mod", text: "module example.com/webhook\n\nreplace example.com/a => ../a\n", want: "webhook/go.mod: a published module has no replace"},
		"requires a test module":  {version: "v0.1.0", file: "webhook/go.mod", text: "module example.com/webhook\n\nrequire example.com/tests v0.1.0\n", want: "webhook/go.mod: requires example.com/tests, which is not published"},
		"two versions":            {version: "v0.1.0", file: "webhook/go.mod", text: "module example.com/webhook\n\nrequire example.com/runtime v0.0.9\n", want: "and other modules require"},
		"a commit":                {version: "v0.1.0", file: "tests/go.mod", text: "module example.com/tests\n\nrequire example.com/runtime v0.0.0-20260102030405-0123456789ab\n\nreplace example.com/runtime => ../runtime\n", want: "v0.0.0-20260102030405-0123456789ab, which is not a release"},
		"a test without replace":  {version: "v0.1.0", file: "tests/go.mod", text: "module example.com/tests\n\nrequire example.com/runtime v0.1.0\n", want: "tests/go.mod: does not replace example.com/runtime"},
		"a published module gone": {version: "v0.1.0", file: "webhook/go.mod", text: "", want: "webhook is a published module, but has no go.mod file"},
	} {
		t.Run(name, func(t *testing.T) {
			git(t, dir, "checkout", "--quiet", "-B", "case", "main")
			if test.file != "" {
				if test.text == "" {
					git(t, dir, "rm", "--quiet", test.file)
				} else {
					save(t, filepath.Join(dir, test.file), test.text)
				}
				if !test.dirty {
					git(t, dir, "commit", "--quiet", "--all", "-m", "mistake")
				}
			}
			before := git(t, dir, "rev-parse", "HEAD") + git(t, dir, "status", "--porcelain")
			err := open(t, dir).Release(test.version, today)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %s", err, test.want)
			}
			if after := git(t, dir, "rev-parse", "HEAD") + git(t, dir, "status", "--porcelain"); after != before || git(t, dir, "tag") != "" {
				t.Errorf("the repository has changed: %s", after)
			}
			git(t, dir, "checkout", "--quiet", "--force", "main")
		})
	}
}

// TestRehearsal checks that other files have another version.
func TestRehearsal(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "--quiet")
	for _, m := range published {
		save(t, filepath.Join(dir, m, "go.mod"), "module "+path.Join("example.com", m)+"\n")
	}
	version := func() string {
		v, err := open(t, dir).Rehearsal()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	first := version()
	if again := version(); again != first || module.CanonicalVersion(first) != first {
		t.Errorf("versions %s and %s", first, again)
	}
	save(t, filepath.Join(dir, "runtime", "a.go"), "package a\n")
	if version() == first {
		t.Error("the version is the same with another file")
	}
}

// TestLocalModfile checks that all modules are those on disk, for tests outside the workspace.
func TestLocalModfile(t *testing.T) {
	r := open(t, ".")
	name := filepath.Join(t.TempDir(), "go.mod")
	for _, m := range r.Modules {
		if _, err := r.localModfile(m, name); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		mod, err := modfile.Parse(name, content, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, replace := range mod.Replace {
			if other := r.byPath[replace.Old.Path]; other != nil {
				found++
				if replace.New.Path != r.path(other.Dir) {
					t.Errorf("%s: %s is replaced by %s", m.Dir, replace.Old.Path, replace.New.Path)
				}
			}
		}
		if found != len(r.Modules)-1 {
			t.Errorf("%s: %d modules are replaced", m.Dir, found)
		}
	}
}
