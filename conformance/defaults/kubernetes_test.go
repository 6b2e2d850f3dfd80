package defaults_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/expr/exprtest"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

var defaultMarker = regexp.MustCompile(`(?m)^\s*// \+default=(.*)$`)

// TestKubernetes checks that all +default markers of k8s.io/api are read. The bench module compares
// the generated functions with upstream's.
func TestKubernetes(t *testing.T) {
	dir := exprtest.ModuleDir(t, "k8s.io/api")
	files, err := filepath.Glob(dir + "/*/*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want, got, patterns []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := filepath.Rel(dir, filepath.Dir(name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range defaultMarker.FindAllSubmatch(text, -1) {
			want = append(want, pkg+": "+string(m[1]))
			if path := "k8s.io/api/" + filepath.ToSlash(pkg); !slices.Contains(patterns, path) {
				patterns = append(patterns, path)
			}
		}
	}
	m, err := driver.Model(driver.ModelConfig{Patterns: patterns}, &diag.Bag{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Packages {
		for _, typ := range p.Types {
			for _, f := range typ.Fields {
				if f.Default != nil && p.Root {
					got = append(got, strings.TrimPrefix(p.Path, "k8s.io/api/")+": "+written(f.Default))
				}
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) < 30 {
		t.Errorf("%d markers (-source +model):\n%s", len(want), diff)
	}
}

// written returns a default as its marker has it.
func written(d *model.Default) string {
	if d.Ref != nil {
		return "ref(" + d.Ref.String() + ")"
	}
	return d.JSON
}
