package model

import (
	"cmp"
	"regexp"
	"strconv"
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
