package typed

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/expr"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
)

// TestCorpus reads, prints and evaluates every string in the tests of API servers and of cel-go that is an expression. An
// API server evaluates the expression and its printed form to the same value.
func TestCorpus(t *testing.T) {
	server, ours, counts := serverEnv(), baseEnv(), map[string]int{}
	for _, root := range []string{
		exprtest.ModuleDir(t, "k8s.io/apiextensions-apiserver") + "/pkg/apiserver/schema/cel",
		exprtest.ModuleDir(t, "k8s.io/apiserver") + "/pkg/cel",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/parser",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/checker",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/ext",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/interpreter",
		exprtest.ModuleDir(t, "github.com/google/cel-go") + "/cel",
	} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			for _, source := range exprtest.Texts(exprtest.ParseFile(t, name)) {
				tree, problems := Parse(source)
				if len(problems) > 0 {
					if want := evaluated(t, server, source); want != string(refused) {
						t.Errorf("%s: %q is %s, but is not read: %v", filepath.Base(name), source, want, problems)
					}
					continue
				}
				counts["read"]++
				printed := expr.CEL(tree)
				again, problems := Parse(printed)
				if len(problems) > 0 {
					t.Errorf("%s: %q is printed as %q: %v", filepath.Base(name), source, printed, problems)
				} else if !expr.Equal(again, tree) {
					t.Errorf("%s: %q is printed as %q, which reads as %q", filepath.Base(name), source, printed, expr.CEL(again))
				}
				want, got := evaluated(t, server, source), evaluated(t, ours, source)
				if want != string(refused) {
					counts["evaluated"]++
				}
				switch {
				case want != got && (got != "error" || !strings.Contains(source, "emver(")): // semantic versions are only declared
					t.Errorf("%s: %q is %s, want %s", filepath.Base(name), source, got, want)
				case want != string(refused) && printed != source && evaluated(t, server, printed) != want:
					t.Errorf("%s: %q is printed as %q, which has another value", filepath.Base(name), source, printed)
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Log(counts)
	if counts["read"] < 3000 || counts["evaluated"] < 1000 {
		t.Errorf("%v expressions", counts)
	}
}
