package defaults_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindsmith/kindsmith/internal/emit/defaults"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
	"github.com/kindsmith/kindsmith/internal/tool/driver"
)

func TestGolden(t *testing.T) {
	emittest.Golden(t, defaults.Emitter(), "./testdata/byhand", "./testdata/external/...")
}

// TestRoots checks that the output of a package does not depend on the other packages of the run.
func TestRoots(t *testing.T) {
	emittest.Golden(t, defaults.Emitter(), "./testdata/external/functions")
}

func TestMistakes(t *testing.T) {
	files, found := emittest.Roots(t, defaults.Emitter(), "./testdata/mistakes")
	if len(files) > 0 {
		t.Errorf("got %d files", len(files))
	}
	const want = `error: defaults/recursive Loop
warning: defaults/generic 3
error: defaults/signature SetDefaults_Spec
error: defaults/signature SetDefaults_Other
error: defaults/signature SetObjectDefaults_Thing
`
	if diff := cmp.Diff(want, emittest.Summary(found)); diff != "" {
		t.Errorf("diagnostics differ (-want +got):\n%s", diff)
	}
}

func TestNothingToDefault(t *testing.T) {
	if files, found := emittest.Roots(t, defaults.Emitter(), "./testdata/nothing"); len(files) > 0 || emittest.Summary(found) != "" {
		t.Errorf("got %d files, %v", len(files), found)
	}
}

// TestShapes runs the tests of defaults of all shapes of types.
func TestShapes(t *testing.T) {
	if code, out := emittest.Test(t, "testdata/shapes", driver.Config{Only: []string{"deepcopy", "defaults"}}); code != 0 {
		t.Error(out)
	}
}
