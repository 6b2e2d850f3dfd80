package register_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/register"
	corev1 "github.com/kindsmith/kindsmith/internal/emit/register/testdata/core/v1"
	partlyv1beta1 "github.com/kindsmith/kindsmith/internal/emit/register/testdata/partly/v1beta1"
	plainv1 "github.com/kindsmith/kindsmith/internal/emit/register/testdata/plain/v1"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, register.Emitter(),
		"./testdata/plain/v1", "./testdata/partly/v1beta1", "./testdata/core/v1", "./testdata/byhand/v1", "./testdata/nokinds/v1")
	for _, dir := range []string{"byhand/v1", "nokinds/v1"} {
		if _, err := os.Stat(filepath.Join("testdata", dir, register.FileName)); err == nil {
			t.Errorf("a file was written for %s, which needs none", dir)
		}
	}
}

func TestScheme(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := plainv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	gv := schema.GroupVersion{Group: "plain.example.com", Version: "v1"}
	var kinds []string
	for kind, typ := range scheme.KnownTypes(gv) {
		if strings.HasPrefix(typ.PkgPath(), "github.com/kindsmith/") {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	if diff := cmp.Diff([]string{"Config", "Thing", "ThingList"}, kinds); diff != "" {
		t.Errorf("registered kinds (-want +got):\n%s", diff)
	}
	if !scheme.Recognizes(gv.WithKind("WatchEvent")) || !scheme.Recognizes(gv.WithKind("DeleteOptions")) {
		t.Error("the meta types of the group version are not registered")
	}
	if plainv1.Extra != 1 {
		t.Errorf("the function of another file ran %d times, want once", plainv1.Extra)
	}
	if plainv1.GroupVersion != gv || plainv1.SchemeGroupVersion != gv {
		t.Errorf("group versions are %v and %v, want %v", plainv1.GroupVersion, plainv1.SchemeGroupVersion, gv)
	}
	if got := plainv1.Resource("things").String(); got != "things.plain.example.com" {
		t.Errorf("Resource gives %s", got)
	}
}

func TestHandWrittenPartsAreUsed(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := partlyv1beta1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if partlyv1beta1.GroupVersion != partlyv1beta1.SchemeGroupVersion || !scheme.Recognizes(partlyv1beta1.SchemeGroupVersion.WithKind("Thing")) {
		t.Error("the group version by hand was not used")
	}
	if got := partlyv1beta1.Resource("x").Resource; got != "by-hand-x" {
		t.Errorf("Resource gives %s", got)
	}
	if got := partlyv1beta1.Kind("Thing").String(); got != "Thing.partly.example.com" {
		t.Errorf("Kind gives %s", got)
	}
}

// kinds returns a package with one kind and some hand-written declarations.
func kinds(name string, imports map[string]string, decls ...string) *model.Package {
	p := &model.Package{
		Path: "example.com/api/" + name, Name: name, Group: "example.com", Root: true,
		Types: []*model.Type{{
			Name: "Thing", Package: "example.com/api/" + name, Def: &model.Ref{Kind: model.KindStruct}, Kind: &model.Kind{},
		}},
		Decls: map[string]bool{}, Imports: imports,
	}
	if strings.HasPrefix(name, "v") {
		p.Version = name
	}
	for _, d := range decls {
		p.Decls[d] = true
	}
	return p
}

// builds adds a builder to a package, by the expression that functions are registered
// with.
func builds(register string, p *model.Package) *model.Package {
	name, _, _ := strings.Cut(register, ".")
	p.Builders = map[string]string{name: register}
	return p
}

func emitted(t *testing.T, p *model.Package) (string, []*diag.Diagnostic) {
	t.Helper()
	m := &model.Model{Packages: []*model.Package{p}}
	m.Index()
	bag := &diag.Bag{}
	files := emittest.Package(t, register.Emitter(), m, p, bag)
	if len(files) == 0 {
		return "", bag.All()
	}
	return string(files[0].Content), bag.All()
}

// TestWhatIsGenerated tests combinations of hand-written declarations, and the
// builder that functions are registered with.
func TestWhatIsGenerated(t *testing.T) {
	kubebuilder := map[string]string{"scheme": "sigs.k8s.io/controller-runtime/pkg/scheme"}
	everything := []string{
		"var GroupVersion", "var SchemeGroupVersion", "func Kind", "func Resource", "SchemeBuilder ", "localSchemeBuilder ", "AddToScheme ", "func addKnownTypes",
	}
	for _, c := range []struct {
		name    string
		p       *model.Package
		has     []string
		builder string
	}{
		{"nothing by hand", kinds("v1", nil), everything, "localSchemeBuilder"},
		{"kubebuilder", kinds("v1", kubebuilder, "GroupVersion", "SchemeBuilder", "AddToScheme"), nil, "SchemeBuilder.SchemeBuilder"},
		{"k8s.io/api", kinds("v1", nil, "SchemeGroupVersion", "SchemeBuilder", "AddToScheme", "localSchemeBuilder", "Resource", "addKnownTypes"), nil, "localSchemeBuilder"},
		{"old k8s.io", kinds("v1", nil, "SchemeGroupVersion", "SchemeBuilder", "AddToScheme"), nil, "SchemeBuilder"},
		{"internal version", kinds("v1", nil, "SchemeGroupVersion", "localSchemeBuilder", "AddToScheme"), nil, "localSchemeBuilder"},
		{"no AddToScheme", kinds("v1", kubebuilder, "GroupVersion", "SchemeBuilder"),
			[]string{"var SchemeGroupVersion", "func Kind", "func Resource", "AddToScheme "}, "SchemeBuilder.SchemeBuilder"},
		{"only a group version", kinds("v1", nil, "GroupVersion", "SchemeGroupVersion"),
			[]string{"func Kind", "func Resource", "SchemeBuilder ", "localSchemeBuilder ", "AddToScheme ", "func addKnownTypes"}, "localSchemeBuilder"},
		{"known types by hand", kinds("v1", nil, "addKnownTypes"),
			[]string{"var GroupVersion", "var SchemeGroupVersion", "func Kind", "func Resource", "SchemeBuilder ", "localSchemeBuilder ", "AddToScheme "}, "localSchemeBuilder"},
		{"a builder with another name", builds("schemeBuilder", kinds("v1", nil, "GroupVersion", "SchemeGroupVersion", "schemeBuilder")),
			[]string{"func Kind", "func Resource", "AddToScheme "}, "schemeBuilder"},
		{"kubebuilder's with another name", builds("b.SchemeBuilder", kinds("v1", nil, "GroupVersion", "b", "AddToScheme")), nil, "b.SchemeBuilder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, diags := emitted(t, c.p)
			var has []string
			for _, part := range everything {
				if slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool {
					line = strings.TrimSpace(strings.Replace(line, "var AddToScheme", "AddToScheme", 1))
					return strings.HasPrefix(line, part)
				}) {
					has = append(has, part)
				}
			}
			if diff := cmp.Diff(c.has, has); diff != "" {
				t.Errorf("declared (-want +got):\n%s\n%s", diff, text)
			}
			if len(diags) > 0 {
				t.Errorf("unexpected diagnostics: %v", diags[0].Message)
			}
			if got, ok := emit.SchemeBuilder(c.p); got != c.builder || !ok {
				t.Errorf("functions are registered with %q, want %q", got, c.builder)
			}
		})
	}
}

func TestNothingToRegister(t *testing.T) {
	skipped := kinds("v1", nil)
	skipped.Tags = []*model.Tag{{Name: "versioned:skip", Role: model.RoleSkip, Args: []model.Arg{{Value: model.Value{Kind: model.IdentValue, Text: "register"}}}}}
	skippedType := kinds("v1", nil)
	skippedType.Types[0].Tags = skipped.Tags
	noGroup := kinds("v1", nil)
	noGroup.Group = ""
	for name, p := range map[string]*model.Package{"package skipped": skipped, "type skipped": skippedType, "no group": noGroup} {
		if text, diags := emitted(t, p); text != "" || len(diags) > 0 {
			t.Errorf("%s: got %s, %v", name, text, diags)
		}
		if builder, ok := emit.SchemeBuilder(p); ok {
			t.Errorf("%s: there is nothing to register with, and not %s", name, builder)
		}
	}
	text, diags := emitted(t, kinds("api", nil))
	if text != "" || len(diags) != 1 || diags[0].Code.String() != "register/no-version" {
		t.Errorf("a package without a version: got %q, %v", text, diags)
	}
}

// TestRegisterGen checks the names that users of register-gen's files depend on, and the
// core group, whose name is empty.
func TestRegisterGen(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := corev1.Install(scheme); err != nil {
		t.Fatal(err)
	}
	if !scheme.Recognizes(schema.GroupVersionKind{Version: "v1", Kind: "Thing"}) {
		t.Error("Thing is not registered")
	}
	if corev1.GroupName != "" || corev1.Resource("things").String() != "things" {
		t.Errorf("the group is %q", corev1.GroupName)
	}
}
