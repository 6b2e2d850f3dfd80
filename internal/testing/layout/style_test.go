package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/testing/prose"
)

// The bounds per 1,000 words of all diagnostics, and of the doc comments of a package. Pages have stricter ones, in
// docs/style_test.go. Tighten these when the texts are better.
var (
	diagnosticBounds = bounds{that: 10.5, pronouns: 21, what: 1.2}
	commentBounds    = bounds{that: 37, pronouns: 37, what: 12}
)

type bounds struct{ that, pronouns, what float64 }

// check reports counts that are out of bounds.
func (b bounds) check(t *testing.T, name string, c prose.Count) {
	t.Helper()
	for _, word := range []struct {
		name  string
		count int
		rate  float64
	}{{`"that"`, c.That, b.that}, {`"it", "they", "them" and "those"`, c.Pronouns, b.pronouns}, {`"what" outside questions`, c.What, b.what}} {
		if most := prose.PerThousand(word.rate, c.Words); word.count > most {
			t.Errorf("%s: %d of %s in %d words, at most %d", name, word.count, word.name, c.Words, most)
		}
	}
}

// reports are the functions whose literals users read as diagnostics: in messages, notes and pages of codes.
var reports = []string{"Errorf", "Warnf", "Hintf", "Note", "Suggest", "New"}

// TestDiagnosticStyle counts words in the texts of all diagnostics.
func TestDiagnosticStyle(t *testing.T) {
	var texts []string
	sources(t, []string{"../.."}, func(_ string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || !slices.Contains(reports, sel.Sel.Name) {
				return true
			}
			for _, arg := range call.Args {
				if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING && strings.Count(lit.Value, " ") > 1 {
					text, _ := strconv.Unquote(lit.Value)
					texts = append(texts, text)
				}
			}
			return true
		})
	})
	if len(texts) < 500 {
		t.Fatalf("found %d texts", len(texts))
	}
	diagnosticBounds.check(t, "diagnostics", prose.Plain(texts...).Count())
}

// TestCommentStyle counts words in the doc comments of each package.
func TestCommentStyle(t *testing.T) {
	comments := map[string][]string{}
	sources(t, []string{"../..", "../../../runtime", "../../../webhook", "../../../cmd"}, func(path string, file *ast.File) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		add := func(doc *ast.CommentGroup) { comments[pkg] = append(comments[pkg], doc.Text()) }
		add(file.Doc)
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				add(d.Doc)
			case *ast.GenDecl:
				add(d.Doc)
			}
		}
	})
	var few []string // of packages with few words, which count together
	for pkg, texts := range comments {
		count := prose.Plain(texts...).Count()
		if count.Words < 250 {
			few = append(few, texts...)
			continue
		}
		commentBounds.check(t, pkg, count)
	}
	commentBounds.check(t, "small packages", prose.Plain(few...).Count())
}

// sources calls f with the files of packages below folders, without tests and generated files.
func sources(t *testing.T, folders []string, f func(path string, file *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(entry.Name(), "zz_generated"):
				return nil
			}
			file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
			if err == nil {
				f(path, file)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
