package helpers_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/core/source"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/helpers"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
	"github.com/kindsmith/kindsmith/internal/versions/steps"
)

const testdata = "github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/"

// The example has the helpers in use; here is what depends on tags and folders.

func TestSkips(t *testing.T) {
	m, _ := emittest.Model(t, "../conversion/testdata/shop/...")
	hub := m.Package(testdata + "shop/v1")
	text, _ := file(t, m, hub)
	for _, want := range []string{"package shop\n", "func ParseStoreVersion(", "func ConvertStoreReview(", "case *shopv1alpha1.Store:", "CourierVersionV1beta1 CourierVersion"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(text, "CourierVersionV1alpha1") || strings.Contains(text, "StoreList") {
		t.Errorf("got versions of a kind that do not exist, or lists:\n%s", text)
	}
	skip := func(part string) []*model.Tag {
		return []*model.Tag{{Role: model.RoleSkip, Args: []model.Arg{{Value: model.Value{Text: part}}}}}
	}
	older := m.Package(testdata + "shop/v1alpha1")
	older.Tags = skip(model.PartConvertReview)
	if text, _ = file(t, m, hub); strings.Contains(text, "v1alpha1.JSONConversion") || !strings.Contains(text, "v1beta1.JSONConversion") {
		t.Errorf("reviews convert a version that they leave out:\n%s", text)
	}
	older.Tags = nil
	hub.Type("Courier").Tags = skip(model.PartConvertReview)
	if text, _ = file(t, m, hub); strings.Contains(text, "ConvertCourierReview") || !strings.Contains(text, "ConvertStoreReview") {
		t.Errorf("got\n%s", text)
	}
	hub.Tags = append(hub.Tags, skip(model.PartConvertReview)...)
	if text, _ = file(t, m, hub); strings.Contains(text, "apiextensions") || !strings.Contains(text, "ParseCourierVersion") {
		t.Errorf("got\n%s", text)
	}
	older.Tags = skip(model.PartConversion)
	if text, _ = file(t, m, hub); strings.Contains(text, "shopv1alpha1.") || !strings.Contains(text, `StoreVersionV1alpha1 StoreVersion = "v1alpha1"`) {
		t.Errorf("a version without conversions is converted, or unknown:\n%s", text)
	}
}

// TestTwoGroups has two groups below one folder.
func TestTwoGroups(t *testing.T) {
	m, _ := emittest.Model(t, "../conversion/testdata/shop/...")
	hub := m.Package(testdata + "shop/v1")
	other := &model.Package{Name: "a", Path: testdata + "shop/a", Dir: hub.Dir, Root: true, Versions: hub.Versions, Mistaken: true}
	m.Packages = append(m.Packages, other)
	if text, bag := file(t, m, hub); text != "" || len(bag.All()) != 1 || bag.All()[0].Code.String() != "helpers/two-groups" {
		t.Errorf("got %v\n%s", bag.All(), text)
	}
}

// TestHandWrittenAbove has hand-written code in the folder of the helpers.
func TestHandWrittenAbove(t *testing.T) {
	m, _ := emittest.Model(t, "../conversion/testdata/shop/...")
	hub := m.Package(testdata + "shop/v1")
	code := map[string][]byte{}
	write := func(name, text string) { code[filepath.Join(filepath.Dir(hub.Dir), name)] = []byte(text) }
	emitted := func() (string, *diag.Bag) {
		bag := &diag.Bag{}
		c := emit.Context{Model: m, Tags: driver.Tags(), Steps: steps.Build(m), Diags: bag, Package: hub, Files: source.NewFS(code)}
		files, err := helpers.Emitter().Emit(&c)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		return string(files[0].Content), bag
	}
	write("doc.go", "package apis\n\nvar jsonconvert, StoreName = 1, 2\n\ntype Version struct{}\n\nfunc (Version) ParseStoreVersion() {}\n")
	write("doc_test.go", "package apis_test\n\ntype StoreVersion struct{}\n")
	write(helpers.FileName, "package shop\n\ntype StoreVersion string\n")
	if text, bag := emitted(); len(bag.All()) > 0 || !strings.Contains(text, "package apis\n") || !strings.Contains(text, "return apis.StoreConverter{}") || !strings.Contains(text, "runtimejsonconvert.New(") {
		t.Errorf("%v:\n%s", bag.All(), text)
	}
	write("more.go", "package apis\n\ntype StoreVersion struct{}\n\nconst jsonConverter = 1\n\nfunc ParseStoreVersion() {}\n")
	_, bag := emitted()
	var got []string
	for _, d := range bag.All() {
		got = append(got, d.Code.String()+" "+strings.Fields(d.Message)[7])
	}
	if want := []string{"helpers/declared ParseStoreVersion,", "helpers/declared StoreVersion,", "helpers/declared jsonConverter,"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// TestHandWrittenBeside writes the helpers to another folder than that of the package's source.
func TestHandWrittenBeside(t *testing.T) {
	m, _ := emittest.Model(t, "../conversion/testdata/shop/...")
	hub := m.Package(testdata + "shop/v1")
	above, target := filepath.Dir(hub.Dir), t.TempDir()
	for _, test := range []struct {
		dir  string
		want int
	}{{above, 0}, {target, 1}, {filepath.Join(target, "missing"), 0}} {
		bag := &diag.Bag{}
		c := emit.Context{Model: m, Tags: driver.Tags(), Steps: steps.Build(m), Diags: bag, Package: hub}
		c.Files = source.NewFS(map[string][]byte{filepath.Join(test.dir, "doc.go"): []byte("package apis\n\ntype StoreVersion struct{}\n")})
		c.Options.Place = func(p *model.Package, f emit.File) string {
			if p != hub || f.Folder != emit.AbovePackage {
				t.Errorf("got %s, %v", p.Path, f.Folder)
			}
			return filepath.Join(target, f.Name)
		}
		files, err := helpers.Emitter().Emit(&c)
		if err != nil || len(files) != 1 {
			t.Fatal(files, err)
		}
		if got := bag.All(); len(got) != test.want {
			t.Errorf("%s: got %v, want %d", test.dir, got, test.want)
		}
		if named := strings.Contains(string(files[0].Content), "\npackage apis\n"); named != (test.dir != filepath.Join(target, "missing")) {
			t.Errorf("%s: the package has another name", test.dir)
		}
	}
}

func file(t *testing.T, m *model.Model, p *model.Package) (string, *diag.Bag) {
	t.Helper()
	bag := &diag.Bag{}
	files := emittest.Package(t, helpers.Emitter(), m, p, bag)
	if len(files) == 0 {
		return "", bag
	}
	return string(files[0].Content), bag
}
