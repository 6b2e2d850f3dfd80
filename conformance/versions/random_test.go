package versions_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/testing/workspacetest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/runtime/convert/roundtrip"
)

var (
	seeds       = flag.Int("seeds", 1, "number of random APIs")
	first       = flag.Uint64("seed", 1, "seed of the first API")
	kinds       = flag.Int("kinds", 3, "number of kinds of each API")
	stepSeeds   = flag.Int("stepSeeds", 4, "number of random APIs whose conversions by steps are tested")
	stepObjects = flag.Int("stepObjects", 40, "number of objects of each kind")
	keep        = flag.String("keep", "", "folder in which the APIs are kept")
	// without helps to find the cause of a failure.
	without = flag.String("without", "", "forms that the APIs do not have, such as hooks,moved")
)

// TestRandomAPIs generates code for random APIs, and for one with types that older versions use of other packages. It
// vets the code and runs its round-trip tests.
func TestRandomAPIs(t *testing.T) {
	files := map[string]string{}
	var byHand []string
	asked := map[string]bool{"": true}
	for i := range *seeds {
		seed := *first + uint64(i)
		a := newAPI(seed)
		files[fmt.Sprintf("s%d/v1/types.go", seed)] = a.file(fmt.Sprintf("s%d.example.com", seed), *kinds)
		maps.Copy(asked, a.asked)
		for _, v := range a.byHand {
			byHand = append(byHand, fmt.Sprintf("s%d/%s", seed, v))
		}
	}
	for _, name := range strings.Split(*without, ",") {
		if !asked[name] {
			t.Fatalf("-without: no API asks for %q; the forms are %q", name, slices.Sorted(maps.Keys(asked)))
		}
	}
	run(t, files, 40, byHand...)
}

// TestRegressions does the same with APIs of which a test failed once.
func TestRegressions(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"regressions", "removed", "carried", "generics", "embedded"} {
		archive, err := txtar.ParseFile("testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
	}
	const generic = "generics/v1/types.go"
	files["byhand/v1/types.go"] = strings.ReplaceAll(files[generic], "generics.example.com", "byhand.example.com")
	run(t, files, 40, "byhand/v1alpha1", "byhand/v1beta1")
}

// run generates code for packages, vets it and runs its round-trip tests, by default with a number of objects. The
// generated types of some versions become hand-written ones.
func run(t *testing.T, files map[string]string, objects int, byHand ...string) {
	t.Helper()
	dir := *keep
	if dir == "" {
		dir = t.TempDir()
	}
	maps.Copy(files, workspacetest.Files("random.example.com"))
	for name, text := range files {
		if err := source.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := workspacetest.Use(dir, t.Setenv); err != nil {
		t.Fatal(err)
	}
	if os.Getenv(roundtrip.ObjectsVariable) == "" {
		t.Setenv(roundtrip.ObjectsVariable, strconv.Itoa(objects))
	}
	generate(t, dir)
	for _, version := range byHand {
		writeByHand(t, filepath.Join(dir, version))
	}
	if len(byHand) > 0 && !t.Failed() {
		generate(t, dir)
	}
	if t.Failed() {
		return
	}
	together(t, dir)
	cmd := exec.Command("go", "test", "-p=2", "-vet=all", "./...")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// together moves the round trips of all packages to one: to link a program for each takes longer than to run them.
func together(t *testing.T, dir string) {
	t.Helper()
	var names []string
	for _, folders := range []string{"*", "*/*"} {
		found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(folders), "zz_generated.roundtrip_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) == 0 {
		t.Fatal("no package has round trips")
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		pkg := filepath.Dir(name)
		folder, err := filepath.Rel(dir, pkg)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.ReplaceAll(filepath.ToSlash(folder), "/", "_")
		moved := strings.Replace(string(text), "\nfunc TestRoundTrip(", "\nfunc TestRoundTrip_"+id+"(", 1)
		moved = strings.Replace(moved, "\npackage "+filepath.Base(pkg)+"_test\n", "\npackage roundtrips_test\n", 1)
		if err := source.WriteFile(filepath.Join(dir, "roundtrips", id+"_test.go"), []byte(moved)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// generate writes the code for the APIs in a folder.
func generate(t *testing.T, dir string) {
	bag := &diag.Bag{}
	out, err := driver.Generate(driver.Config{ModelConfig: driver.ModelConfig{Dir: dir, Patterns: []string{"./..."}}}, bag)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range bag.All() {
		if d.Severity == diag.Error {
			t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
		}
	}
	for _, f := range out.Files {
		if err := source.WriteFile(f.Path, f.Content); err != nil {
			t.Fatal(err)
		}
	}
}

// writeByHand makes the generated types of an older version hand-written ones.
func writeByHand(t *testing.T, version string) {
	generated := filepath.Join(version, "zz_generated.types.go")
	text, err := os.ReadFile(generated)
	if errors.Is(err, fs.ErrNotExist) {
		return // all kinds are newer
	}
	if err != nil {
		t.Fatal(err)
	}
	_, types, _ := strings.Cut(string(text), "\n")
	if err := os.Remove(generated); err != nil {
		t.Fatal(err)
	}
	if err := source.WriteFile(filepath.Join(version, "types.go"), []byte(types)); err != nil {
		t.Fatal(err)
	}
}
