package validation_test

import (
	"os/exec"
	"testing"

	"github.com/kindsmith/kindsmith/internal/emit/validation"
	"github.com/kindsmith/kindsmith/internal/testing/emittest"
)

// TestFixture writes the test of a package and runs it.
func TestFixture(t *testing.T) {
	emittest.Golden(t, validation.Emitter(), "./testdata/fixture")
	if out, err := exec.Command("go", "test", "./testdata/fixture").CombinedOutput(); err != nil {
		t.Errorf("the generated test fails: %v\n%s", err, out)
	}
}

// TestMeasures runs the test of a package with types that only Go can decode, which
// no conformance case can have.
func TestMeasures(t *testing.T) {
	emittest.Golden(t, validation.Emitter(), "./testdata/measures")
	if out, err := exec.Command("go", "test", "./testdata/measures").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestFixtureMistakes(t *testing.T) {
	for dir, want := range map[string]string{
		"./testdata/fixturemistake": "validation/unknown-fixture",
		"./testdata/fixturebuilder": "validation/no-scheme-builder",
	} {
		files, found := emittest.Roots(t, validation.Emitter(), dir)
		if len(files) != 1 || len(found) != 1 || found[0].Code.String() != want {
			t.Errorf("%s: %d files, and found %v, not %s", dir, len(files), found, want)
		}
	}
}
