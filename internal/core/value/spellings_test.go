package value_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/value"
	"github.com/kindsmith/kindsmith/internal/rules/check"
	"github.com/kindsmith/kindsmith/internal/rules/defaulting"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestSpellings writes every judged value as +default and as the default of an
// added field, and compares what the two report: kind of problem, message and the
// text that is underlined. What is not JSON is an error in both; what else it
// might have been differs.
func TestSpellings(t *testing.T) {
	dir := t.TempDir()
	writeModule(t, dir)
	var tagged, added strings.Builder
	cases := map[string]judgement{}
	types := fieldTypes(t)
	for _, name := range slices.Sorted(maps.Keys(judged)) {
		for i, c := range judged[name] {
			if name == "box" || name == "pair" || strings.Contains(c.json, `\u`) || c.json == "-0" {
				continue // generic types have no versions; the marker's grammar reads strings and integers
			}
			field := fmt.Sprintf("%s%d", strings.ToUpper(name[:1])+name[1:], i)
			cases[field] = c
			fmt.Fprintf(&tagged, "\t// +default=%s\n\t%s %s `json:\"%s,omitempty\"`\n", c.json, field, types[name], field)
			fmt.Fprintf(&added, "\t// +versioned:added(since: \"v1\", default: `%s`, lossy: \"x\")\n\t%s %s `json:\"%s,omitempty\"`\n", c.json, field, types[name], field)
		}
	}
	write(t, dir, "tagged/types.go", declarations(t, "package tagged")+"\ntype Tagged struct {\n"+tagged.String()+"}\n")
	write(t, dir, "v1/types.go", declarations(t, "// +versioned:version(name: \"v1beta1\")\n// +versioned:version(name: \"v1\")\npackage v1")+"\ntype Added struct {\n"+added.String()+"}\n")

	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./tagged", "./v1"}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	check.Check(m, driver.Tags(), bag)
	inTag, inAdded := reported(bag, "tagged", "default/"), reported(bag, "v1", "added/")
	for field, c := range cases {
		got, other := inTag[field], inAdded[field]
		switch {
		case c.what == notJSON && (len(got) == 0 || len(other) == 0):
			t.Errorf("%s: %s is no error: +default says %v, added says %v", field, c.json, got, other)
		case c.what != notJSON && !slices.Equal(got, other):
			t.Errorf("%s: %s (-default +added):\n%s", field, c.json, cmp.Diff(got, other))
		case c.what == "" && len(got) > 0 || c.what != "" && c.what != notJSON && !slices.ContainsFunc(got, c.is):
			t.Errorf("%s: %s reports %q, want %s at %s", field, c.json, got, c.what, c.at)
		}
	}
}

// is reports whether a diagnostic is about the mistake.
func (j judgement) is(reported string) bool {
	return strings.HasPrefix(reported, fmt.Sprintf("%s: %s: ", j.what, j.at))
}

// reported returns the problems of values in a package by the field below them,
// as their codes have them behind a prefix; with text that did not parse also what
// other stages report. The advice on what to do in place of a literal differs.
func reported(bag *diag.Bag, dir, prefix string) map[string][]string {
	found := map[string][]string{}
	for _, d := range bag.All() {
		what, ok := strings.CutPrefix(d.Code.String(), prefix)
		isValue := ok && defaulting.ValueCodes[value.What(what)] != (diag.Code{})
		isSyntax := strings.HasPrefix(d.Code.String(), "marker/") || strings.HasPrefix(d.Code.String(), "check/")
		if filepath.Base(filepath.Dir(d.Span.File.Path)) != dir || !isValue && !isSyntax {
			continue
		}
		message, _, _ := strings.Cut(d.Message, "be written as Go; ")
		field := strings.Fields(d.Span.File.Line(d.Span.Position().Line + 1))[0]
		found[field] = append(found[field], fmt.Sprintf("%s: %s: %s", what, d.Span.Text(), message))
	}
	return found
}

var specField = regexp.MustCompile("(?m)^\t[A-Za-z0-9]+ +(.*?) +`json:\"([A-Za-z0-9]+)")

// fieldTypes returns the types of the fields of Spec as its source has them.
func fieldTypes(t *testing.T) map[string]string {
	t.Helper()
	types := map[string]string{}
	spec, _, _ := strings.Cut(shapesSource(t), "// Mode is")
	for _, m := range specField.FindAllStringSubmatch(spec, -1) {
		types[m[2]] = m[1]
	}
	return types
}

// declarations returns testdata/shapes/types.go under another package clause,
// without generic types and the fields that use them.
func declarations(t *testing.T, clause string) string {
	t.Helper()
	source := shapesSource(t)
	for _, start := range []string{"// Box is", "// Pair embeds"} {
		a := strings.Index(source, start)
		b := a + strings.Index(source[a:], "\n}\n") + len("\n}\n")
		source = source[:a] + source[b:]
	}
	source = regexp.MustCompile(`(?m)^\t(Box|Pair) .*\n`).ReplaceAllString(source, "")
	return strings.Replace(source, "package shapes", clause, 1)
}

func shapesSource(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("testdata/shapes/types.go")
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// writeModule makes dir a module with the dependencies of this one.
func writeModule(t *testing.T, dir string) {
	t.Helper()
	t.Setenv("GOWORK", "off")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, strings.Replace(string(text), "module github.com/kindsmith/kindsmith\n", "module example.com/cases\n", 1))
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
