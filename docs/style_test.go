package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/prose"
)

// The bounds of a page. Rates are per 1,000 words.
const (
	mostThat     = 10.0
	mostPronouns = 14.0
	mostWhat     = 1.5
	longestItem  = 60 // words
	repeatedRow  = 11 // words
)

// TestStyle counts words that make pages hard to read, and finds sentences that two pages have.
func TestStyle(t *testing.T) {
	pages := prosePages(t)
	names := slices.Sorted(maps.Keys(pages))
	for _, name := range names {
		c := pages[name].Count()
		for _, word := range []struct {
			name  string
			count int
			rate  float64
		}{{`"that"`, c.That, mostThat}, {`"it", "they", "them" and "those"`, c.Pronouns, mostPronouns}, {`"what" outside questions`, c.What, mostWhat}} {
			if most := prose.PerThousand(word.rate, c.Words); word.count > most {
				t.Errorf("%s: %d of %s in %d words, at most %d", name, word.count, word.name, c.Words, most)
			}
		}
		for _, item := range pages[name].LongBullets(longestItem) {
			t.Errorf("%s: this item has more than %d words; make it two, or a paragraph with an example: %s", name, longestItem, item)
		}
	}
	for _, r := range prose.Repeated(repeatedRow, names, pages) {
		t.Errorf("%s: %s has the same words; link to it: %s", r.Second, r.First, r.Words)
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
