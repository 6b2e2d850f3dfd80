package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var quoted = regexp.MustCompile(`(?s)From\s+\[([^\]]+)\]\([^)]*\):\s*$`)

// TestQuotes holds what the documentation quotes, as "From [file](link):" and a
// block of code, to the files.
func TestQuotes(t *testing.T) {
	const repo = "../.."
	pages, err := filepath.Glob(filepath.Join(repo, "docs", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	quotes := 0
	for _, page := range pages {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		text := string(content)
		for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
			from := quoted.FindStringSubmatch(text[:m[0]])
			if from == nil {
				continue
			}
			quotes++
			file, err := os.ReadFile(filepath.Join(repo, from[1]))
			if err != nil {
				t.Errorf("%s: %v", page, err)
			} else if !strings.Contains(string(file), text[m[4]:m[5]]) {
				t.Errorf("%s: this is not in %s any more:\n%s", page, from[1], text[m[4]:m[5]])
			}
		}
	}
	if quotes < 3 {
		t.Errorf("the pages have %d quotes; are they still there?", quotes)
	}
}

var link = regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)

// TestLinks follows the links of the documentation that stay in the repository.
func TestLinks(t *testing.T) {
	const repo = "../.."
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "examples/*/*.md", "bench/*.md"} {
		found, err := filepath.Glob(filepath.Join(repo, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	for _, page := range pages {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(content), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
