package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestConsole runs the commands in the documentation, in the example's folder, and compares their
// output with the pages.
func TestConsole(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./cmd/kindsmith")
	build.Dir = repo
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, page := range []string{"guides/validate-manifests.md", "guides/test-rules.md", "guides/from-controller-gen.md"} {
		content, err := os.ReadFile(filepath.Join(repo, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		commands := 0
		for _, m := range fence.FindAllStringSubmatch(string(content), -1) {
			if m[1] != "console" {
				continue
			}
			for _, step := range strings.Split("\n"+m[2], "\n$ ")[1:] {
				commands++
				command, want, _ := strings.Cut(step, "\n")
				cmd := exec.Command("bash", "-c", command)
				cmd.Dir = filepath.Join(repo, "examples", "database")
				cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
				out, err := cmd.CombinedOutput()
				if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
					t.Fatal(err)
				}
				if diff := cmp.Diff(strings.TrimRight(want, "\n"), strings.TrimRight(string(out), "\n")); diff != "" {
					t.Errorf("%s: $ %s\nprints something else (-page +now):\n%s", page, command, diff)
				}
			}
		}
		if commands == 0 {
			t.Errorf("%s has no commands; are they still there?", page)
		}
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
