package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sample matches a diagnostic in an output that no test compares: its message, and its code unless it is a note.
var sample = regexp.MustCompile(`(?m)^ *[\w./:-]*: (?:error|warning|hint|note): (.*?)(?: \[([a-z-]+/[a-z-]+)\])?$`)

// verb matches what a format prints values at.
var verb = regexp.MustCompile(`%(?:\[\d+\])?[-+#0-9.]*[a-zA-Z%]`)

// TestSamples finds diagnostics in the outputs of pages whose words kindsmith does not print any more. The messages have a text
// of the source, and end in their code.
func TestSamples(t *testing.T) {
	texts, words := sourceTexts(t)
	samples := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == "tour" || d.Name() == "bin"):
			return fs.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, block := range fence.FindAllStringSubmatch(string(content), -1) {
			if block[1] != "" && block[1] != "text" {
				continue
			}
			for _, m := range sample.FindAllStringSubmatch(block[2], -1) {
				samples++
				if m[2] != "" && !strings.Contains(texts, strconv.Quote(m[2])) {
					t.Errorf("%s: there is no code %s", path, m[2])
				}
				if !words.MatchString(m[1]) {
					t.Errorf("%s: no message has words of this one: %s", path, m[1])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if samples < 7 {
		t.Errorf("only %d samples were found", samples)
	}
}

// sourceTexts returns the texts in the source of internal, quoted, and what matches a message that has one of them.
func sourceTexts(t *testing.T) (quoted string, words *regexp.Regexp) {
	t.Helper()
	var all strings.Builder
	var patterns []string
	err := filepath.WalkDir("../internal", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			all.WriteString(strconv.Quote(text) + "\n")
			if fixed := verb.ReplaceAllString(text, ""); strings.Contains(fixed, " ") && len(fixed) >= 14 {
				parts := verb.Split(text, -1)
				for i, part := range parts {
					parts[i] = regexp.QuoteMeta(part)
				}
				patterns = append(patterns, strings.Join(parts, ".*?"))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String(), regexp.MustCompile(strings.Join(patterns, "|"))
}
