package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/prose"
)

// The bounds of a page. Rates are per 1,000 words.
const (
	mostThat     = 10.0
	mostPronouns = 14.0
	mostWhat     = 1.5
	longestItem  = 60 // words
	repeatedRow  = 11 // words
)

// dense are the pages that do not comply yet. The test fails for those that do.
var dense = []string{}

// TestStyle counts words that make pages hard to read, and finds sentences that two pages have.
func TestStyle(t *testing.T) {
	pages := prosePages(t)
	names := slices.Sorted(maps.Keys(pages))
	faults := map[string]bool{}
	report := func(page, format string, args ...any) {
		t.Helper()
		faults[page] = true
		if slices.Contains(dense, page) {
			t.Logf("later: "+page+": "+format, args...)
		} else {
			t.Errorf(page+": "+format, args...)
		}
	}
	for _, name := range names {
		c := pages[name].Count()
		for _, word := range []struct {
			name  string
			count int
			rate  float64
		}{{`"that"`, c.That, mostThat}, {`"it", "they", "them" and "those"`, c.Pronouns, mostPronouns}, {`"what" outside questions`, c.What, mostWhat}} {
			if most := prose.PerThousand(word.rate, c.Words); word.count > most {
				report(name, "%d of %s in %d words, at most %d", word.count, word.name, c.Words, most)
			}
		}
		for _, item := range pages[name].LongBullets(longestItem) {
			report(name, "this item has more than %d words; make it two, or a paragraph with an example: %s", longestItem, item)
		}
	}
	for _, r := range prose.Repeated(repeatedRow, names, pages) {
		report(r.Second, "%s has the same words; link to it: %s", r.First, r.Words)
	}
	for _, page := range dense {
		if !faults[page] {
			t.Errorf("%s complies; remove it from the list", page)
		}
	}
}

// prosePages returns the prose of all pages for users and contributors, by path from the root. The changelog
// is not for reading from top to bottom.
func prosePages(t *testing.T) map[string]prose.Text {
	t.Helper()
	var files []string
	for _, pattern := range []string{"../*.md", "../bench/*.md", "../examples/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			files = append(files, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	pages := map[string]prose.Text{}
	for _, file := range files {
		name, err := filepath.Rel("..", filepath.Join("../docs", file))
		if err != nil {
			t.Fatal(err)
		}
		if name == "CHANGELOG.md" || name == "CODE_OF_CONDUCT.md" {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = prose.Markdown(string(content))
	}
	return pages
}
