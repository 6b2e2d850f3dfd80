package defaults_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/driver"
	"github.com/kindsmith/kindsmith/internal/emit"
	"github.com/kindsmith/kindsmith/internal/emit/defaults"
	"github.com/kindsmith/kindsmith/internal/emittest"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, defaults.Emitter(), "./testdata/worked", "./testdata/byhand")
}

func TestMistakes(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/mistakes")
	for _, p := range m.Packages {
		if !p.Root {
			continue
		}
		files, err := defaults.Emitter().Emit(&emit.Context{Model: m, Package: p, Diags: bag})
		if err != nil || len(files) > 0 {
			t.Errorf("got %d files, error %v", len(files), err)
		}
	}
	var got []string
	for _, d := range bag.All() {
		got = append(got, fmt.Sprintf("%s: %s %s", d.Severity, d.Code, d.Span.Text()))
	}
	want := []string{
		"error: defaults/recursive Loop",
		"warning: defaults/generic 3",
		"error: defaults/signature SetDefaults_Spec",
		"error: defaults/signature SetDefaults_Other",
		"error: defaults/signature SetObjectDefaults_Thing",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
}

func TestNothingToDefault(t *testing.T) {
	m, bag := emittest.Model(t, "./testdata/nothing")
	p := m.Package("github.com/kindsmith/kindsmith/internal/emit/defaults/testdata/nothing")
	files, err := defaults.Emitter().Emit(&emit.Context{Model: m, Package: p, Diags: bag})
	if err != nil || len(files) > 0 || bag.HasErrors() {
		t.Errorf("got %d files, error %v", len(files), err)
	}
}

// TestShapes runs the tests of defaults of all shapes of types.
func TestShapes(t *testing.T) {
	if code, out := emittest.Test(t, "testdata/shapes", driver.Config{Only: []string{"deepcopy", "defaults"}}); code != 0 {
		t.Error(out)
	}
}
