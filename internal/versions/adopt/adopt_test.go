package adopt_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/adopt"
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
	about = regexp.MustCompile(`(?m)^[ \t]*// \+versioned:(version|added|changed|deprecated|removed|moved|wrapped|hook|split|until)\(.*\n`)
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

// trees are APIs with generated older versions, which have all actions among them, with their newest versions.
var trees = []struct{ dir, hub string }{
	{"../../../examples/database/api", "v1"},
	{"../../../examples/pipeline/api", "v2"},
	{"../../emit/conversion/testdata/shop", "v1"},
	{"../../emit/conversion/testdata/moved", "v1"},
	{"../../emit/versions/testdata/api", "v1"},
}

// adoption adopts the older versions of a tree.
func adoption(t *testing.T, dir string, files map[string][]byte) *adopt.Adoption {
	t.Helper()
	load, bag := loader(dir, files), &diag.Bag{}
	m, fs, err := load(nil, bag)
	if err != nil {
		t.Fatal(err)
	}
	families := adopt.Families(m)
	if len(families) != 1 || bag.HasErrors() {
		t.Fatalf("%d APIs, %v", len(families), bag.All())
	}
	a, err := adopt.Config{Written: m, Files: fs, Load: load, Tags: driver.Tags(), Assume: true}.Adopt(families[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Versions) < 2 {
		t.Errorf("%d versions", len(a.Versions))
	}
	for _, v := range a.Versions {
		for _, d := range v.Differences {
			t.Errorf("%s: %s: %s %s (%s)", d.Span, v.Version, d.Item, d.Message, d.Reason)
		}
		for _, d := range v.Mistakes {
			t.Errorf("%s: %s", d.Span, d.Message)
		}
		if !v.Equal() {
			t.Errorf("%s stays hand-written", v.Version)
		}
	}
	return a
}

// mistakes returns the errors that generate reports about a tree.
func mistakes(t *testing.T, dir string, overlay map[string][]byte) []string {
	t.Helper()
	bag := &diag.Bag{}
	m, err := driver.Model(driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}, Files: source.NewFS(overlay)}, bag)
	if err != nil {
		t.Fatal(err)
	}
	driver.Check(m, bag)
	var list []string
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			list = append(list, d.Code.String()+": "+d.Message)
		}
	}
	return list
}

// TestInverse takes generated older versions for hand-written ones: adopt finds markers that generate them
// again, whatever the actions, and generate accepts them. With these markers, it proposes nothing.
func TestInverse(t *testing.T) {
	proposed, ran := map[string]bool{}, 0
	for _, tree := range trees {
		t.Run(filepath.Base(filepath.Dir(tree.dir))+"/"+filepath.Base(tree.dir), func(t *testing.T) {
			ran++
			dir, err := filepath.Abs(tree.dir)
			if err != nil {
				t.Fatal(err)
			}
			hand := byHand(t, dir, tree.hub)
			first := adoption(t, dir, hand)
			markers := map[string][]byte{}
			for path, text := range hand {
				if filepath.Base(filepath.Dir(path)) == tree.hub {
					markers[path] = text
				}
			}
			maps.Copy(markers, first.Files)
			for _, text := range first.Files {
				for _, m := range about.FindAllSubmatch(text, -1) {
					proposed[string(m[1])] = true
				}
			}
			maps.Copy(hand, first.Files)
			if again := adoption(t, dir, hand); len(again.Files) > 0 {
				t.Errorf("adopt proposes more: %s", slices.Sorted(maps.Keys(again.Files)))
			}
			// What functions lose is up to the author.
			known := append(mistakes(t, dir, nil), "versions/lossy")
			for _, mistake := range mistakes(t, dir, markers) {
				if code, _, _ := strings.Cut(mistake, ": "); !slices.Contains(known, mistake) && !slices.Contains(known, code) {
					t.Error(mistake)
				}
			}
		})
	}
	for _, name := range []string{"version", "added", "changed", "deprecated", "removed", "moved", "wrapped", "split", "until"} {
		if !proposed[name] && ran == len(trees) {
			t.Errorf("no tree needs %s", name)
		}
	}
}
