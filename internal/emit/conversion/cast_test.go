package conversion_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"k8s.io/apimachinery/pkg/runtime"

	shopv1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"
	shopv1beta1 "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1beta1"
)

// TestLayoutChanges changes types of one version after the conversions were generated: casts no longer compile.
func TestLayoutChanges(t *testing.T) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedExportFile | packages.NeedImports | packages.NeedDeps | packages.NeedCompiledGoFiles}, "./testdata/shop/v1beta1")
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatal(list, err)
	}
	exports := map[string]string{}
	packages.Visit(list, nil, func(p *packages.Package) { exports[p.PkgPath] = p.ExportFile })
	sources := map[string]string{}
	for _, path := range list[0].CompiledGoFiles {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources[filepath.Base(path)] = string(text)
	}
	const file = "zz_generated.types.go"
	for name, change := range map[string][2]string{
		"nothing":        {},
		"order":          {"Name     string     `json:\"name\"`\n\tChildren Categories `json:\"children,omitempty\"`", "Children Categories\nName string"},
		"added":          {"Parent   *Category", "More bool; Parent *Category"},
		"added last":     {"`json:\"parent,omitempty\"`", "\nMore bool"},
		"removed":        {"Parent   *Category", "//"},
		"retyped":        {"Name     string     `json:\"name\"`\n\tChildren", "Name []byte\n\tChildren"},
		"renamed":        {"Parent   *Category", "Above *Category"},
		"part":           {"type Categories []Category", "type Categories map[int]Category"},
		"items":          {"type Categories []Category", "type Categories []*Category"},
		"same structure": {"Phones []string `json:\"phones,omitempty\"`\n}", "Phones []byte\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(sources[file], change[0]) {
				t.Fatalf("the types have no %s", change[0])
			}
			changed := maps.Clone(sources)
			changed[file] = strings.Replace(changed[file], change[0], change[1], 1)
			fset := token.NewFileSet()
			var files []*ast.File
			for name, text := range changed {
				f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, f)
			}
			casts := false
			config := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }), Error: func(err error) {
				casts = casts || strings.Contains(err.Error(), "cannot convert (*") || strings.Contains(err.Error(), "cannot convert in")
			}}
			_, err := config.Check(list[0].PkgPath, fset, files, nil)
			if refused := change[0] != ""; casts != refused || (err != nil) != refused {
				t.Errorf("casts are refused: %t, error %v", casts, err)
			}
		})
	}
}

// TestNothingLost converts objects of kinds that track values, and that lose none: that costs as much as copying them.
func TestNothingLost(t *testing.T) {
	older, hub := &shopv1beta1.Store{}, &shopv1.Store{}
	for range 100 {
		older.Spec.Categories = append(older.Spec.Categories, shopv1beta1.Category{Name: "a", Children: shopv1beta1.Categories{{Name: "b"}}})
	}
	up := func() error { return shopv1beta1.Convert_v1beta1_Store_To_v1_Store(older, hub, nil) }
	down := func() error { return shopv1beta1.Convert_v1_Store_To_v1beta1_Store(hub, new(shopv1beta1.Store), nil) }
	for name, test := range map[string]struct {
		convert func() error
		object  runtime.Object
	}{"up": {up, older}, "down": {down, hub}} {
		if err := up(); err != nil {
			t.Fatal(err)
		}
		var err error
		converts := testing.AllocsPerRun(10, func() { err = test.convert() })
		copies := testing.AllocsPerRun(10, func() { test.object.DeepCopyObject() })
		if err != nil || hub.Status.ChangedValues != nil || converts > 1.5*copies {
			t.Errorf("%s: %v allocations, and %v to copy the object; error %v, tracked %v", name, converts, copies, err, hub.Status.ChangedValues)
		}
	}
}
