package model

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

var versionForm = regexp.MustCompile(`^v([1-9][0-9]*)((alpha|beta)([1-9][0-9]*))?$`)

// IsVersion reports whether a name is one of an API version: v1, v1beta1 or v2alpha1, with numbers up
// to 2³¹−1.
func IsVersion(name string) bool { return parseVersion(name) != nil }

// CompareVersions compares the age of API versions: by major number, then alpha before beta before
// stable, then by number. Kubernetes' order of priority is another.
func CompareVersions(a, b string) int {
	x, y := parseVersion(a), parseVersion(b)
	for i := range min(len(x), len(y)) {
		if c := cmp.Compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(a, b)
}

// NextVersion returns the version after one of the same stability, such as v2 after v1 and v1beta2 after v1beta1; "" for
// other names.
func NextVersion(name string) string {
	if !IsVersion(name) {
		return ""
	}
	end := strings.LastIndexFunc(name, func(r rune) bool { return r < '0' || r > '9' }) + 1
	number, err := strconv.Atoi(name[end:])
	if err != nil {
		return ""
	}
	return name[:end] + strconv.Itoa(number+1)
}

// parseVersion returns the major number, the stability and the number of a version; nil for other names.
func parseVersion(name string) []int64 {
	parts := versionForm.FindStringSubmatch(name)
	if parts == nil {
		return nil
	}
	major, err := strconv.ParseInt(parts[1], 10, 32)
	if err != nil {
		return nil
	}
	stability := map[string]int64{"alpha": 0, "beta": 1, "": 2}[parts[3]]
	if parts[4] == "" {
		return []int64{major, stability, 0}
	}
	number, err := strconv.ParseInt(parts[4], 10, 32)
	if err != nil {
		return nil
	}
	return []int64{major, stability, number}
}

// DefaultVersionsDir is the folder of older versions if nothing says otherwise: they are beside the newest.
const DefaultVersionsDir = ".."

// versionElement is the last element of a pattern of older versions' folders.
const versionElement = "{version}"

// ParseVersionsDir returns Package.VersionsDir for a pattern such as ../old/{version}. The error says what to
// write instead.
func ParseVersionsDir(pattern string) (dir string, err error) {
	clean := path.Clean(pattern)
	switch {
	case path.IsAbs(clean) || filepath.IsAbs(pattern):
		return "", fmt.Errorf("%q is absolute; write a folder relative to that of the package, such as \"../old/{version}\"", pattern)
	case strings.Contains(pattern, `\`):
		return "", fmt.Errorf("%q has a backslash; write slashes between folders, such as \"../old/{version}\"", pattern)
	case path.Base(clean) != versionElement || strings.Contains(path.Dir(clean), versionElement):
		return "", fmt.Errorf("%q must end with {version}, and have it once: each version is a package with its name; write a folder such as \"../old/{version}\"", pattern)
	}
	return path.Dir(clean), nil
}

// OlderPath returns the import path of an older version of the package.
func (p *Package) OlderPath(version string) string {
	return path.Join(p.Path, cmp.Or(p.VersionsDir, DefaultVersionsDir), version)
}

// OlderDir returns the folder of an older version of the package.
func (p *Package) OlderDir(version string) string {
	return filepath.Join(p.Dir, filepath.FromSlash(cmp.Or(p.VersionsDir, DefaultVersionsDir)), version)
}

// Beside reports whether two packages are in folders where versions of one API are: beside each other, or
// one where older versions of the other are.
func (p *Package) Beside(q *Package) bool {
	name := filepath.Base(q.Dir)
	return filepath.Dir(p.Dir) == filepath.Dir(q.Dir) || q.Dir == p.OlderDir(name) || p.Dir == q.OlderDir(filepath.Base(p.Dir))
}
