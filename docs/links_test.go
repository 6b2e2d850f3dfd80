package docs_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
)

// TestLinks checks the links of all pages to pages, files and headings, and that the index leads to each page in docs.
func TestLinks(t *testing.T) {
	pages := map[string]string{}
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		pages[filepath.Clean(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"../*.md", "../bench/*.md", "../examples/*/*.md"} {
		others, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, page := range others {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			links(t, page, map[string]string{page: string(text)})
		}
	}
	reached, next := map[string]bool{}, []string{"README.md"}
	for len(next) > 0 {
		page := next[0]
		if next = next[1:]; reached[page] {
			continue
		}
		reached[page] = true
		next = append(next, links(t, page, pages)...)
	}
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		if !reached[page] {
			t.Errorf("no link leads from docs/README.md to docs/%s", page)
			links(t, page, pages)
		}
	}
}

// links returns the pages that a page links to, and reports links that lead nowhere.
func links(t *testing.T, page string, pages map[string]string) []string {
	t.Helper()
	var found []string
	for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(pages[page], ""), -1) {
		target, anchor, _ := strings.Cut(m[1], "#")
		if strings.Contains(target, "://") {
			continue
		}
		path := filepath.Join(filepath.Dir(page), filepath.FromSlash(target))
		if target == "" {
			path = page
		}
		text, isPage := pages[path]
		if isPage {
			found = append(found, path)
		} else {
			content, err := os.ReadFile(path)
			if info, e := os.Stat(path); err != nil && (e != nil || !info.IsDir()) {
				t.Errorf("docs/%s: the link %s: %v", page, m[1], err)
				continue
			}
			text = string(content)
		}
		if anchor != "" && !slices.Contains(anchors(text), anchor) {
			t.Errorf("docs/%s: %s has no heading for the link %s", page, target, m[1])
		}
	}
	return found
}

// anchors returns the anchors of a page's headings, as GitHub makes them.
func anchors(text string) []string {
	var found []string
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
				return r
			}
			return -1
		}, strings.ToLower(m[1]))
		found = append(found, name)
	}
	return found
}
