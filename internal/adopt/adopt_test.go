package adopt_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/adopt"
	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/model"
	"github.com/kindsmith/kindsmith/internal/source"
)

// loader returns a function that loads a folder, with files in the place of those on the disk.
func loader(dir string, base map[string][]byte) func(map[string][]byte, *diag.Bag) (*model.Model, *source.FS, error) {
	var w driver.Workspace
	return func(overlay map[string][]byte, bag *diag.Bag) (*model.Model, *source.FS, error) {
		all := maps.Clone(base)
		maps.Copy(all, overlay)
		files := source.NewFS(all)
		m, err := w.Written(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}, Files: files}, bag)
		return m, files, err
	}
}

var (
	since = regexp.MustCompile(`\+versioned:since\("v[^"]*"\)=`)
	about = regexp.MustCompile(`(?m)^[ \t]*// \+versioned:(version|added|changed|deprecated|removed|moved|wrapped|hook|until)\(.*\n`)
)

// byHand returns the files of a tree as if its older versions were hand-written: without change markers in
// the newest version, and without the headers of generated files in the others.
func byHand(t *testing.T, dir, hub string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatal(dir, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case filepath.Base(filepath.Dir(path)) == hub && !strings.HasPrefix(filepath.Base(path), "zz_"):
			files[path] = about.ReplaceAll(since.ReplaceAll(text, nil), nil)
		case filepath.Base(path) == "zz_generated.types.go":
			_, rest, _ := strings.Cut(string(text), "\n")
			files[path] = []byte(rest)
		}
	}
	return files
}

// TestInverse takes generated older versions for hand-written ones: adopt finds markers that generate them
// again, whatever the actions.
func TestInverse(t *testing.T) {
	for _, test := range []struct{ dir, hub string }{
		{"../../examples/database/api", "v1"},
		{"../emit/conversion/testdata/shop", "v1"},
		{"../emit/conversion/testdata/moved", "v1"},
		{"../emit/versions/testdata/api", "v1"},
	} {
		t.Run(filepath.Base(filepath.Dir(test.dir))+"/"+filepath.Base(test.dir), func(t *testing.T) {
			dir, err := filepath.Abs(test.dir)
			if err != nil {
				t.Fatal(err)
			}
			load := loader(dir, byHand(t, dir, test.hub))
			bag := &diag.Bag{}
			m, _, err := load(nil, bag)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range bag.All() {
				t.Logf("%s: %s", d.Span, d.Message)
			}
			families := adopt.Families(m)
			if len(families) != 1 {
				t.Fatalf("%d APIs", len(families))
			}
			a, err := adopt.Config{Load: load, Tags: driver.Tags(), Assume: true}.Adopt(families[0])
			if err != nil {
				t.Fatal(err)
			}
			for path, text := range a.Files {
				for line := range strings.SplitSeq(string(text), "\n") {
					if strings.Contains(line, "+versioned") {
						t.Log(filepath.Base(path), line)
					}
				}
			}
			for _, v := range a.Versions {
				t.Logf("%s: declared %t, equal %t", v.Version, v.Declared, v.Equal())
				for _, d := range v.Differences {
					t.Errorf("%s: %s: %s %s (%s)", d.Span, v.Version, d.Item, d.Message, d.Reason)
				}
				for _, d := range v.Mistakes {
					t.Errorf("%s: %s", d.Span, d.Message)
				}
			}
		})
	}
}
