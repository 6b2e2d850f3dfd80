package roundtrip_test

import (
	"strings"
	"testing"

	"github.com/kindsmith/kindsmith/internal/core/diag"
	"github.com/kindsmith/kindsmith/internal/core/model"
	"github.com/kindsmith/kindsmith/internal/emit/roundtrip"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

// TestFile checks what the file of an API has.
func TestFile(t *testing.T) {
	m, bag := emittest.Model(t, "../conversion/testdata/shop/...")
	text := file(t, m, m.Package("github.com/kindsmith/kindsmith/internal/emit/conversion/testdata/shop/v1"))
	for _, d := range bag.All() {
		t.Error(d.Message)
	}
	for _, want := range []string{
		`JSON: shopv1alpha1.JSONConversion(),`,
		`{Versions: []string{"v1alpha1", "v1beta1"}, Type: "Level", JSON: []string{"1", "2"}}`,                                             // numbers
		"{Versions: []string{\"v1alpha1\"}, Type: \"Color\", Closed: true, JSON: []string{`\"Crimson\"`, `\"Blue\"`, `\"Beige\"`}}",        // strings
		`roundtrip.Older("v1beta1", shopv1beta1.Convert_v1beta1_Courier_To_v1_Courier, shopv1beta1.Convert_v1_Courier_To_v1beta1_Courier)`, // not in v1alpha1
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if t.Failed() {
		t.Log(text)
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
