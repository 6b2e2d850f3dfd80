package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// spelled are the files outside internal/rules/tags that may contain names of tags, with the reason.
// Other files use roles and references, and take names for messages from definitions.
var spelled = map[string]string{
	"internal/tool/cli/explain.go":                       "the examples in the help of a command",
	"internal/tool/project/project.go":                   "the help of a flag",
	"internal/emit/validation/validation.go":             "pages for users",
	"internal/rules/lint/versiondrift/exceptions.go":     "the example of an exception, which authors write with the tag's name",
	"internal/rules/check/codes.go":                      "pages for users",
	"internal/emit/conversion/codes.go":                  "pages for users",
	"internal/emit/definitions/codes.go":                 "pages for users",
	"internal/rules/schema/codes.go":                     "pages for users",
	"internal/versions/evolve/codes.go":                  "pages for users",
	"internal/front/load/codes.go":                       "pages for users",
	"internal/front/marker/codes.go":                     "pages for users",
	"internal/core/foreign/foreign.go":                   "the table of other tools' markers, some of which begin alike",
	"internal/rules/lint/counterpart/counterpart.go":     "the page on the convention",
	"internal/rules/lint/nopresence/nopresence.go":       "the page on the convention",
	"internal/rules/lint/stability/stability.go":         "the page on the convention",
	"internal/rules/lint/unvalidatable/unvalidatable.go": "the page on the convention",
	"internal/rules/lint/versiondrift/versiondrift.go":   "the page on the convention",
	"internal/front/marker/parse.go":                     "the grammar, which knows no tags, gives an example",
	"internal/front/marker/payload.go":                   "the grammar, which knows no tags, repairs a chain without its second +",
}

// tagName finds a tag's full name, or the prefix of one, in a literal.
var tagName = regexp.MustCompile(`\b(k8s|versioned):`)

// TestTagNames finds names of tags outside of internal/rules/tags: full names
// anywhere in a literal, and names without their prefix where a name is compared.
func TestTagNames(t *testing.T) {
	short := map[string]bool{}
	for _, d := range driver.Tags().All() {
		short[d.Name[strings.IndexByte(d.Name, ':')+1:]] = true
	}
	used := map[string]bool{}
	for _, p := range list(t, "../../..", "./internal/...", "./cmd/...") {
		if name, _ := internal(p.ImportPath); name == "rules/tags" || strings.HasPrefix(name, "rules/tags/") {
			continue
		}
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			file := strings.TrimPrefix(p.ImportPath, module+"/") + "/" + name
			for _, lit := range tagLiterals(f, short) {
				if spelled[file] != "" {
					used[file] = true
					continue
				}
				t.Errorf("%s:%d: the literal %s has the name of a tag; ask for a role, or take the name from the definition", file, fset.Position(lit.Pos()).Line, lit.Value)
			}
		}
	}
	for file, reason := range spelled {
		if !used[file] {
			t.Errorf("%s has no name of a tag any more; remove its exception (%s)", file, reason)
		}
	}
}

// tagLiterals returns the string literals of a file that have names of tags.
func tagLiterals(f *ast.File, short map[string]bool) []*ast.BasicLit {
	var found []*ast.BasicLit
	text := func(e ast.Expr) (lit *ast.BasicLit, value string) {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return nil, ""
		}
		value, _ = strconv.Unquote(lit.Value)
		return lit, value
	}
	bare := func(name ast.Expr, literal ast.Expr) {
		if lit, value := text(literal); lit != nil && short[value] && isTagName(name) {
			found = append(found, lit)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if lit, value := text(n); lit != nil && tagName.MatchString(value) {
				found = append(found, lit)
			}
		case *ast.BinaryExpr:
			bare(n.X, n.Y)
			bare(n.Y, n.X)
		case *ast.SwitchStmt:
			for _, stmt := range n.Body.List {
				for _, e := range stmt.(*ast.CaseClause).List {
					bare(n.Tag, e)
				}
			}
		case *ast.CallExpr:
			for _, e := range n.Args {
				for _, name := range n.Args {
					bare(name, e)
				}
				bare(n.Fun, e)
			}
		}
		return true
	})
	return found
}

// isTagName reports whether an expression is the name of a tag, or a function that takes one.
func isTagName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "ShortName"
	case *ast.SelectorExpr:
		x, _ := e.X.(*ast.Ident)
		switch e.Sel.Name {
		case "Tag", "Role", "Says", "Has", "Find", "Is", "Bound", "WithRole":
			return true
		case "Lookup":
			return x == nil || x.Name == "rules/tags" || x.Name == "Tags"
		case "Name":
			return x != nil && (x.Name == "c" || x.Name == "use" || x.Name == "inner" || x.Name == "bare" || x.Name == "def")
		}
	}
	return false
}
