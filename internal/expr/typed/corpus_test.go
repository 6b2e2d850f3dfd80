package typed

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/expr"
	"github.com/kindsmith/kindsmith/internal/expr/exprtest"
)

// TestCorpus prints and reads again every string in the tests of API servers and
// of cel-go that is an expression.
func TestCorpus(t *testing.T) {
	count := 0
	for _, root := range []string{
		exprtest.ModuleDir(t, "k8s.io/apiextensions-apiserver") + "/pkg/apiserver/schema/cel",
		exprtest.ModuleDir(t, "k8s.io/apiserver") + "/pkg/cel",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/parser",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/ext",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/interpreter",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/cel",
	} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			for _, source := range exprtest.AllTexts(exprtest.ParseFile(t, name)) {
				tree, problems := Parse(source)
				if len(problems) > 0 {
					continue
				}
				count++
				printed := expr.CEL(tree)
				again, problems := Parse(printed)
				if len(problems) > 0 {
					t.Errorf("%s: %q is printed as %q: %v", filepath.Base(name), source, printed, problems)
				} else if !expr.Equal(again, tree) {
					t.Errorf("%s: %q is printed as %q, which reads as %q", filepath.Base(name), source, printed, expr.CEL(again))
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if count < 3000 {
		t.Errorf("%d expressions", count)
	}
}
