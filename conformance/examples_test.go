package conformance_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// besides are prefixes of codes that any example may have: examples are excerpts, with comments.
var besides = []string{"marker/", "nopresence/", "kinddoc/", "load/", "versions/undeclared-folder"}

var (
	declares = regexp.MustCompile(`(?m)^(type|const|func) `)
	declared = regexp.MustCompile(`(?m)^type (\w+)`)
	used     = regexp.MustCompile(`(?m)^\s*\w+ +(?:\[\]|\*|map\[\w+\])*([A-Z]\w*) +` + "`")
)

// TestBadExamples checks that each example of a wrong use in the catalogue of tags is reported.
func TestBadExamples(t *testing.T) {
	dir, files := t.TempDir(), workspacetest.Files("examples.example.com")
	names := map[string]string{}
	for i, d := range driver.Tags().All() {
		folder := fmt.Sprintf("tag%d", i)
		names[folder] = d.Name
		files[folder+"/v1/types.go"] = example(folder, d.Bad)
	}
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	bag := &diag.Bag{}
	if _, err := driver.Lint(driver.LintConfig{Config: driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}}}, bag); err != nil {
		t.Fatal(err)
	}
	reported := map[string]bool{}
	for _, d := range bag.All() {
		if !slices.ContainsFunc(besides, func(prefix string) bool { return strings.HasPrefix(d.Code.String(), prefix) }) && d.Span.File != nil {
			reported[strings.Split(d.Span.File.Path, "/")[0]] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(names)) {
		if !reported[folder] {
			t.Errorf("the bad example of +%s is not reported:\n%s", names[folder], files[folder+"/v1/types.go"])
		}
	}
}

// example returns a package with a kind that has an excerpt: a struct, the fields of one, or tags of the package. Types that
// the excerpt does not declare are structs.
func example(group, excerpt string) string {
	tags, body, isPackage := strings.Cut(excerpt, "package v1")
	if !isPackage {
		tags, body = "", excerpt
	}
	if !declares.MatchString(body) && strings.TrimSpace(body) != "" {
		body = "// Spec is an excerpt.\ntype Spec struct {\n" + body + "\n}\n"
	}
	if !strings.Contains(tags, "groupName") {
		tags = "// +groupName=" + group + ".example.com\n" + tags
	}
	if strings.Contains(excerpt, "+versioned:") && !strings.Contains(excerpt, "+versioned:version") {
		tags += "// +versioned:version(name: \"v1alpha1\")\n// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\n"
	}
	var types []string
	for _, m := range declared.FindAllStringSubmatch(body, -1) {
		types = append(types, m[1])
	}
	for _, m := range used.FindAllStringSubmatch(body, -1) {
		if name := m[1]; !slices.Contains(types, name) {
			types = append(types, name)
			body += fmt.Sprintf("\n// %s is a type.\ntype %[1]s struct {\n\t// +optional\n\tName string `json:\"name,omitempty\"`\n}\n", name)
		}
	}
	spec := ""
	if len(types) > 0 {
		spec = fmt.Sprintf("\n\t// +optional\n\tSpec %s `json:\"spec,omitzero\"`\n", types[0])
	}
	return "// Package v1 is an API.\n//\n" + tags + "package v1\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n" + body +
		"\n// Thing is a kind.\ntype Thing struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitzero\"`\n" + spec + "}\n"
}
