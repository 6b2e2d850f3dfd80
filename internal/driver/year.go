package driver

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kindsmith/kindsmith/internal/signature"
	"github.com/kindsmith/kindsmith/internal/source"
)

// yearMark is replaced by the year in a header, as in the boilerplate files of Kubernetes.
var yearMark = regexp.MustCompile(`\bYEAR\b`)

// stampYears replaces the year in headers: with the year that a file already has, so that files do
// not become stale each year, else with the given one.
func stampYears(files []*File, header string, year int) {
	if !yearMark.MatchString(header) {
		return
	}
	stamped := regexp.MustCompile("(?m)^" + strings.Join(quote(yearMark.Split(header, -1)), `(\d{4})`))
	for _, f := range files {
		head, rest, ok := bytes.Cut(f.Content, []byte(signature.Go))
		if !ok {
			continue // no Go file
		}
		found := strconv.Itoa(year)
		if m := stamped.FindSubmatch(source.LF(f.Previous)); m != nil {
			found = string(m[1])
		}
		head = yearMark.ReplaceAll(head, []byte(found))
		f.Content = slices.Concat(head, []byte(signature.Go), rest)
	}
}

func quote(parts []string) []string {
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return parts
}
