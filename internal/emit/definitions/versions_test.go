package definitions_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/foreign"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

// versionFlags are the flags of one version in a definition.
type versionFlags struct {
	Name                        string
	Served, Storage, Deprecated bool
	Warning                     string
}

// TestDeclaredVersions checks that +versioned:version takes precedence over the markers that an
// older version has from the newest.
func TestDeclaredVersions(t *testing.T) {
	m, _ := emittest.Model(t, "./testdata/versions/...")
	var hub, older *model.Package
	for _, p := range m.Packages {
		switch {
		case p.Root && p.Name == "v1":
			hub = p
		case p.Root && p.Name == "v1beta1":
			older = p
		}
	}
	hub.Versions = []*model.Version{
		{Name: "v1beta1", Served: true, Storage: true, IsDeprecated: true, Deprecated: "use v1 now", Package: older.Path},
		{Name: "v1", Served: true, Package: hub.Path},
	}
	older.Hub, older.Generated = hub.Path, true
	thing := hub.Type("Thing")
	storage := slices.DeleteFunc(thing.Markers, func(m model.Marker) bool { return strings.HasPrefix(m.Name, foreign.PrintColumn) }) // of a field that v1beta1 lacks
	thing.Markers = nil
	older.Type("Thing").Markers = append(older.Type("Thing").Markers, storage...)

	bag := &diag.Bag{}
	files := run(t, m, bag)
	for _, d := range bag.All() {
		t.Errorf("%s: %s [%s]", d.Span, d.Message, d.Code)
	}
	want := []versionFlags{
		{Name: "v1", Served: true},
		{Name: "v1beta1", Served: true, Storage: true, Deprecated: true, Warning: "multi.example.com/v1beta1 Thing is deprecated; use v1 now"},
	}
	if diff := cmp.Diff(want, flagsOf(t, files["multi.example.com_things.yaml"])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = []versionFlags{{Name: "v1", Served: true, Storage: true}}
	if diff := cmp.Diff(want, flagsOf(t, files["multi.example.com_newcomers.yaml"])); diff != "" {
		t.Errorf("a kind that the stored version does not have (-want +got):\n%s", diff)
	}
}

// TestOneStorageVersion checks that a kind without a storage version, and one
// with two, are mistakes at the kind.
func TestOneStorageVersion(t *testing.T) {
	m, _ := emittest.Model(t, "./testdata/versions/...")
	for _, p := range m.Packages {
		if p.Root && p.Name == "v1" {
			p.Type("Thing").Markers = nil
		}
	}
	bag := &diag.Bag{}
	run(t, m, bag)
	var codes []string
	for _, d := range bag.All() {
		codes = append(codes, d.Code.String()+" "+d.Span.Text())
	}
	if diff := cmp.Diff([]string{"crd/storage Thing"}, codes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNoGroup checks that kinds without a group are reported.
func TestNoGroup(t *testing.T) {
	m, _ := emittest.Model(t, "./testdata/enums")
	for _, p := range m.Packages {
		p.Group = ""
	}
	bag := &diag.Bag{}
	if files := run(t, m, bag); len(files) > 0 {
		t.Errorf("got %d files, want none", len(files))
	}
	list := bag.All()
	if len(list) != 1 || list[0].Code.String() != "crd/no-group" || list[0].Span.Text() != "enums" {
		t.Errorf("got %v, want crd/no-group at the package's name", list)
	}
}

func flagsOf(t *testing.T, text []byte) []versionFlags {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(text, &crd); err != nil {
		t.Fatal(err)
	}
	var list []versionFlags
	for _, v := range crd.Spec.Versions {
		f := versionFlags{Name: v.Name, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated}
		if v.DeprecationWarning != nil {
			f.Warning = *v.DeprecationWarning
		}
		list = append(list, f)
	}
	return list
}
