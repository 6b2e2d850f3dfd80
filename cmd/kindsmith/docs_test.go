package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/applyconfiguration"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"
	"sigs.k8s.io/controller-tools/pkg/schemapatcher"
	"sigs.k8s.io/controller-tools/pkg/webhook"
)

var packageClause = regexp.MustCompile(`(?m)^package `)

var quoted = regexp.MustCompile(`(?s)From\s+\[([^\]]+)\]\([^)]*\):\s*$`)

// TestQuotes checks that quotes in the documentation, written as "From [file](link):"
// and a code block, are in the files. A quote with a package clause is the whole file.
func TestQuotes(t *testing.T) {
	const repo = "../.."
	pages, err := filepath.Glob(filepath.Join(repo, "docs", "*", "*.md"))
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
			} else if quote := text[m[4]:m[5]]; !strings.Contains(string(file), quote) {
				t.Errorf("%s: this quote is not in %s:\n%s", page, from[1], quote)
			} else if packageClause.MatchString(quote) && len(strings.TrimSpace(quote)) != len(strings.TrimSpace(string(file))) {
				t.Errorf("%s: this quote begins like %s, and is not all of it", page, from[1])
			} else if filepath.Base(page) == "wiring.md" && strings.HasSuffix(from[1], ".go") && !packageClause.MatchString(quote) {
				t.Errorf("%s: the quote of %s has no imports; quote the whole file", page, from[1])
			}
		}
	}
	if quotes < 3 {
		t.Errorf("found %d quotes in the pages, want at least 3", quotes)
	}
}

// TestOptions checks that the page about controller-gen has all options of its generators.
func TestOptions(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/from-controller-gen.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, generator := range []any{applyconfiguration.Generator{}, schemapatcher.Generator{}, crd.Generator{}, deepcopy.Generator{}, rbac.Generator{}, webhook.Generator{}} {
		d := markers.Must(markers.MakeDefinition("generator", markers.DescribesPackage, generator))
		for option := range d.Fields {
			if !strings.Contains(string(page), "`"+option+"`") {
				t.Errorf("docs/guides/from-controller-gen.md lacks the option %s of %T", option, generator)
			}
		}
	}
}
