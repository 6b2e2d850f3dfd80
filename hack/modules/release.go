package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// Release commits a release of the files on disk, and tags it once for each published module. It pushes
// nothing. An error before the commit leaves the files as they were.
func (r *Repo) Release(version string, now time.Time) error {
	if err := r.releasable(version); err != nil {
		return err
	}
	changed := map[string][]byte{} // by file
	changes, err := os.ReadFile(r.path(changelog))
	if err != nil {
		return err
	}
	if changed[changelog], err = releaseNotes(changes, version, now); err != nil {
		return err
	}
	// The archive of the root module has the changelog, and its sum is in go.sum of others.
	if err := os.WriteFile(r.path(changelog), changed[changelog], 0o644); err != nil {
		return err
	}
	if err := r.write(version, changed); err != nil {
		_, rerr := gitOutput(r.Root, "checkout", "--", ".")
		return errors.Join(err, rerr)
	}
	names := slices.Sorted(maps.Keys(changed))
	if _, err := gitOutput(r.Root, append([]string{"commit", "--quiet", "-m", "release: " + version, "--"}, names...)...); err != nil {
		return err
	}
	for _, m := range r.Order() {
		if _, err := gitOutput(r.Root, "tag", "-a", m.Tag(version), "-m", m.Path()+" "+version); err != nil {
			return err
		}
	}
	return nil
}

// releasable reports what stops a release.
func (r *Repo) releasable(version string) error {
	switch major := semver.Major(version); {
	case semver.Canonical(version) != version || module.IsPseudoVersion(version):
		return fmt.Errorf("%q is not a version such as v0.1.0 or v1.2.0-rc.1", version)
	case major != "v0" && major != "v1":
		return fmt.Errorf("%s: versions from v2 on need /v2 at the end of all module paths", version)
	}
	dirty, err := gitOutput(r.Root, "status", "--porcelain")
	if err != nil {
		return err
	}
	if dirty != "" {
		return fmt.Errorf("the working tree has changes; commit or stash them:\n%s", dirty)
	}
	tags, err := gitOutput(r.Root, "tag", "--list")
	if err != nil {
		return err
	}
	var mistakes []error
	for _, tag := range strings.Fields(tags) {
		dir, v := path.Split(tag)
		if !semver.IsValid(v) || !slices.Contains(published, path.Clean(dir)) {
			continue
		}
		if semver.Compare(v, version) >= 0 {
			mistakes = append(mistakes, fmt.Errorf("the tag %s exists; release a version after %s", tag, v))
		}
	}
	return errors.Join(append(mistakes, r.Check())...)
}

// write sets the version in all module files, and adds what it writes to changed.
func (r *Repo) write(version string, changed map[string][]byte) error {
	packages, err := r.Pack(version)
	if err != nil {
		return err
	}
	for _, p := range packages {
		changed[path.Join(p.Dir, "go.mod")] = p.GoMod
		changed[path.Join(p.Dir, "go.sum")] = p.GoSum
	}
	for _, m := range r.Modules {
		if m.Published || len(m.requires(r)) == 0 {
			continue
		}
		if changed[path.Join(m.Dir, "go.mod")], err = requireAt(m.Mod, version, func(path string) bool { return r.byPath[path] != nil }); err != nil {
			return err
		}
	}
	for name, content := range changed {
		if err := os.WriteFile(r.path(name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

const changelog = "CHANGELOG.md"

var unreleased = regexp.MustCompile(`(?m)^## \[Unreleased\]\n`)

// releaseNotes returns a changelog in which the entries without a release are those of a version.
func releaseNotes(text []byte, version string, now time.Time) ([]byte, error) {
	at := unreleased.FindIndex(text)
	if at == nil {
		return nil, fmt.Errorf("%s: the section ## [Unreleased] is missing", changelog)
	}
	entries, _, _ := bytes.Cut(text[at[1]:], []byte("\n## "))
	if len(bytes.TrimSpace(entries)) == 0 {
		return nil, fmt.Errorf("%s: the section ## [Unreleased] is empty; say what changed", changelog)
	}
	heading := fmt.Sprintf("\n## [%s] - %s\n", strings.TrimPrefix(version, "v"), now.Format(time.DateOnly))
	return slices.Concat(text[:at[1]], []byte(heading), text[at[1]:]), nil
}

// notesOf returns the entries of a release.
func notesOf(text []byte, version string) (string, error) {
	_, section, found := strings.Cut(string(text), fmt.Sprintf("\n## [%s]", strings.TrimPrefix(version, "v")))
	if !found {
		return "", fmt.Errorf("%s has no section for %s", changelog, version)
	}
	_, section, _ = strings.Cut(section, "\n")
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.TrimSpace(section) + "\n", nil
}
