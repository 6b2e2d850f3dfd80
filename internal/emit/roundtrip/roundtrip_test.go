package roundtrip_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/diag"
	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emit/roundtrip"
	"github.com/kindsmith/kindsmith/internal/emittest"
	"github.com/kindsmith/kindsmith/internal/model"
)

// TestExceptions checks what the plan lists as lost, by the versions that lose it. The
// generated tests of package conversion's packages run with these exceptions.
func TestExceptions(t *testing.T) {
	m, bag := emittest.Model(t, "../conversion/testdata/shop/...", "../conversion/testdata/handwritten/...")
	all := ""
	for _, p := range m.Packages {
		if p.Root {
			all += file(t, m, p)
		}
	}
	for _, d := range bag.All() {
		t.Error(d.Message)
	}
	for _, want := range []string{
		`Type: "StoreSpec", Key: "backup", Lost: []string{"v1alpha1", "v1beta1"}, Missing: []string{"v1alpha1", "v1beta1"}}`,               // lossy
		`Type: "StoreSpec", Key: "hours", Missing: []string{"v1alpha1", "v1beta1"}, Filled: true}`,                                         // tracked, with a default
		`{Versions: []string{"v1beta1", "v1"}, Type: "StoreSpec", Key: "currency", Missing: []string{"v1alpha1"}, Filled: true}`,           // in between
		`{Versions: []string{"v1"}, Type: "StoreSpec", Key: "port", Decoded: true}`,                                                        // by a function
		`{Versions: []string{"v1alpha1", "v1beta1"}, Type: "Level", JSON: []string{"1", "2"}}`,                                             // numbers
		`Type: "StoreSpec", Key: "shelves", ListKeys: []string{"label"}}`,                                                                  // a keyed list
		`{Versions: []string{"v1beta1"}, Type: "Window", Lost: []string{"v1alpha1", "v1"}, Decoded: true}`,                                 // by hand
		`roundtrip.Older("v1beta1", shopv1beta1.Convert_v1beta1_Courier_To_v1_Courier, shopv1beta1.Convert_v1_Courier_To_v1beta1_Courier)`, // not in v1alpha1
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
}

// TestRoundTrips runs the generated tests of packages whose generated code is not kept.
func TestRoundTrips(t *testing.T) {
	t.Setenv("KINDSMITH_ROUNDTRIP_OBJECTS", "40")
	for _, dir := range []string{"testdata/wrapped/v2", "testdata/keyed/v2", "testdata/untracked/v1", "testdata/removed/v2"} {
		if code, out := emittest.Test(t, dir, driver.Config{}, "-vet=off"); code != 0 {
			t.Errorf("%s", out)
		}
	}
}

// TestSkip checks what an author can leave out.
func TestSkip(t *testing.T) {
	m, _ := emittest.Model(t, "../conversion/testdata/shop/...")
	hub := m.Package("github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1")
	skip := []*model.Tag{{Role: model.RoleSkip, Args: []model.Arg{{Value: model.Value{Text: model.PartRoundTrip}}}}}
	hub.Type("Courier").Tags = skip
	if text := file(t, m, hub); strings.Contains(text, "Courier") || !strings.Contains(text, "_Store_") {
		t.Errorf("got %s", text)
	}
	hub.Tags = append(hub.Tags, skip...)
	if text := file(t, m, hub); text != "" {
		t.Errorf("got %s", text)
	}
}

func file(t *testing.T, m *model.Model, p *model.Package) string {
	t.Helper()
	text := ""
	for _, f := range emittest.Package(t, roundtrip.Emitter(), m, p, &diag.Bag{}) {
		text += string(f.Content)
	}
	return text
}
