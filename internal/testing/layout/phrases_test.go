package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// phrases are phrases that texts for users must not have, with their replacements.
var phrases = []struct{ not, but string }{
	{`\b(anonymous|type|struct) without a name\b`, "an anonymous struct type"},
	{`\bas (it|they) stands?\b|\bstands? (here|on|behind)\b`, "is, applies to, follows"},
	{`\bbehind (a|the) pointer\b`, "a pointer, a non-pointer struct"},
	{`\bfindings?\b`, "diagnostics"},
	{`\bfrozen\b`, "hand-written"},
	{`\bholds? (nowhere|in (one|every|no) )`, "applies, has no effect"},
	{`\bof (its|their|his) own\b`, "its own, custom, separate"},
	{`\bon the wire\b`, "in JSON"},
	{`\b(is|are|was) (said|told)\b|\bspeaks? of\b|\bsay (so|lossy|since|until)\b`, "name the subject: the tag requires …"},
	{`\b[Tt]here is no (tag|emitter|flag)\b|\bis no marker\b`, "unknown tag"},
	{`\b(is|are) (looked at|made of it)\b`, "applies, is enforced"},
	{`\btold apart\b|\btells? .* apart\b`, "identified, distinguished"},
	{`\b(wh(o|at)ever (runs|the|says)|nothing defines)\b`, "the caller, regardless of, is not defined"},
}

// TestPhrases finds the phrases in documentation, and in the texts of diagnostics,
// tags and help: literals of several words outside tests.
func TestPhrases(t *testing.T) {
	texts := userTexts(t)
	for _, p := range phrases {
		not := regexp.MustCompile(p.not)
		for at, text := range texts {
			for _, line := range strings.Split(text, "\n") {
				if found := not.FindString(line); found != "" {
					t.Errorf("%s: %q in %q; write: %s", at, found, line, p.but)
				}
			}
		}
	}
}

// userTexts returns the texts for users by their positions.
func userTexts(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	var pages []string
	err := filepath.WalkDir("../../../docs", func(path string, _ os.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../../README.md") {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = string(content)
	}
	fset := token.NewFileSet()
	err = filepath.WalkDir("../..", func(path string, entry os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata":
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Count(lit.Value, " ") > 1 {
				texts[fset.Position(lit.Pos()).String()], _ = strconv.Unquote(lit.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
